"""Japanese figures: `灯台のように`, `田んぼみたいなひび`, `墨を流したような影`; no guess, no aim, no order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from trope.strategies.guard.japanese.words import (
    LONGEST,
    akin,
    noun_before,
    of_the_world,
    saying_before,
    thing_at_work,
    thing_befallen,
    thing_done,
    thing_drawn_with,
    thing_handled,
    thing_of_force,
    thing_supposed,
    unfeeling,
)
from trope.strategies.guard.lexicon import either, qualities, words
from trope.strategies.guard.plan import PlannedFigure, Span, stretches

_WHY = "an explicit simile: the vehicle only says what something is like"
_DESIGN = "a design request: both things are meant to be seen"
_CLAUSE = re.compile(r"[^。！？!?\n「」『』]+")
# After a noun; the group says what follows: `に` an adverb, `な` a noun, `だ` the end.
_MARKER = re.compile(
    r"(?P<noun>の(?:よう|ごとく|如く|ごとき|如き|ごとし|如し)|(?:(?<![一-龯]ん)で(?:で|さえ)?も?あるか)の(?:よう|ごとく)|みたい|みたく(?!て|な)|さながら|めい(?=[てた](?![いきく]))|じみ(?=[てた](?!い))|を(?:思|おも|想)わせ|を彷彿と?させ|を(?:連想|思い起こ)させ"
    r"|に?そっくり|に瓜二つ|よろしく|もどき(?=の)|(?:のそれ)?に(?:よく|も|どこか)?似(?=[てた])|と見(?:まが|紛)う(?:ばかりの)?|(?:も|か)と(?:見|み)まごう|も?顔負け|[もと]?同然"
    r"|か(?:何か|なにか)?と(?:思|おも)(?:う(?:ほど|くらい|ばかり|ような)|わせる(?:ほど)?)の?"
    r"|とでも(?:い|言|呼)(?:うべき|いたい|いたく|びたい|びたく|ぶべき|う|った)(?:なる)?(?:ような|よう(?!に))?(?![のだかよに、。])"
    r"|といった(?:風情|趣|風|面持ち|貫禄|様子|体|恰好|格好)(?=[でのだ])"
    r"|(?<=[一-龯々][一-龯々])(?<![自天突当偶必全依整騒雑漠憮毅悠平呆唖愕泰判歴])然と(?:した|して(?!の)|(?=[一-龯]))"
    r"|(?:並み|なみ|ばり)(?=[のに])|同様(?=[にの]、?))"
    r"|(?P<verb>(?:かの)?(?:よう|ごとく|如く|みたい)|が(?:ごとく|如く))"
)
# `まるで川だった`: the noun before the end of a sentence
_OUTRIGHT = re.compile(
    r"(?:まるで|さながら)、?(?P<what>[^、。はがをに]{1,14}?)(?P<is>だった|だ|である|であった|です|でした|)(?=[。！!]?$)"
)
_MORE = re.compile(r"より(?:も|なお)?(?P<how>[白黒赤青甘苦硬固堅軽薄速早遅冷熱鋭細脆柔明暗美][一-龯ぁ-ん])")
_AFTER_ADVERB = re.compile(r"に(?:も|は|して)?、?|て、?|く、?|、")
_AFTER_NOUN = re.compile(r"な|の|た|る|き")
# Of these no shape or color can be said; these mean nothing without what is said of them.
_UNSEEN = re.compile(r"視線|沈黙|意志|声|心|希望|笑い|怒り|言葉|気持ち|性格|静けさ|時間|記憶|味|痛み|噂")
_BEARS = re.compile(
    r"(?:目|眼|眼光|眼差し|まなざし|姿|匂い|香り|音|顔|意志|性格|気持ち|気分|態度|体|身体|声|表情|心|[^、。はをに]{0,4}(?:ぶり|触り|心地|立ち|つき|さ|ほっぺ|頬))"
    r"(?=[でをのだがはに。、]|$)|[^、。はをに]{1,8}(?:だった|だ|です|でした|である)$"
)
_STARTS_AFTER = re.compile(r"[^ぁ-ん]|[はがをにでもへやのいなたるくてうすつぬむぶぐかりら]")
_OF_SUBJECT = re.compile(r"[^、。]が$")
_LAST = re.compile(r"[^、。はがをにでもへと]+(?:[、。]|$)")
_STYLE = re.compile(
    r"[^、。はがをに]{0,6}?(?:質感|筆づかい|筆遣い|筆致|タッチ|画風|作風|色使い|色づかい|レイアウト|構図|フォント|トーン|粒子感"
    r"|配色|仕上がり|模様|(?<![小人家間])柄|衣装|服装|格好|扮装|挿絵|模型|ジオラマ|フィギュア|白衣|制服|形(?=[のをにで、。]|$))"
)
_MIMIC = re.compile(r"[^、。]{0,10}(?:まね|真似|マネ|練習(?![着場試])|体操(?![選部服着]))")
_ROLE = re.compile(r"(?:[員師官兵]|先生|医者|教師|兵隊|店長|社長|監督)$")
_LIST = re.compile(r"(?:\A|(?<=[、。\n]))[一-龯々ァ-ヺー]{1,6}、$")
_THAT = re.compile(
    r"(?<![一-龯々ァ-ヺー])(?:あれ|これ|それ|外|空|今日|明日|隣|中身|正体|犯人|ここ|そこ|あそこ|この先|向こう|あの子)(?:は|も|が)、?$"
)
_ALIKE_KIN = re.compile(r"そっくり|似|瓜二つ")
_SHAPED = re.compile(r"[のな](?:形|姿)(?:を(?:し(?:て|とる)|見せ)|だ|で(?:浮|横|立|そび|広|あ|す)|に見え)")
_BUT = re.compile(r"(?:見え|みえ)[るたて]?(?:が|けれど|けど|のに|も)[^。]{0,4}(?:実|本当|ほんとう|正体|よく見)")
_EMPHATIC = re.compile(r"まるで|あたかも")
_FORCE = re.compile(
    r"な(?:鋭い|激しい|強い|高い|低い|重い|鈍い)?(?:音|響き|痛み|寒さ|暑さ|冷たさ|勢い|速さ|衝撃|手つき|足取り|静けさ)"
)
_LOOKS = re.compile(r"な(?:顔|表情|目|声|悲鳴|騒ぎ|叫び)")
_GRADES = ("並み", "なみ", "ばり", "同様")  # of these only things of nature: `東京並み`, `前回同様` are no figures
_SEASONS = ("春", "夏", "秋", "冬", "色", "時", "今", "艶")  # `春めいた日` is no likeness
_OF_SEASON = re.compile(r"た(?:日|陽|気候|風|季節|話|空気|光|午後|朝|頃|ころ)|て[きくい]")
_COLOR = re.compile(r"色|(?:[一-龯]{0,2}色|青|赤|白|黒|緑|金|銀|藍|紫|紅)(?=[のをにがでと、。]|$)")
_SORT = re.compile(r"[^、。をがはに]{0,8}(?:物|もの|道具|器具|部品)(?=[をが])")
_CLAIM = re.compile(r"[^、。]{0,6}(?:名乗|名のって|偽|詐称|騙)")
_SEEN_THING = re.compile(r"見える(?=[一-龯々ァ-ヺ])(?P<thing>[^、。をがはにでと]{1,8})")
_EVOKES = ("を思", "をおも", "を想", "を彷彿", "を連想")
_RECALLS = re.compile(r"(?:絵|写真|曲|歌|映画|小説|物語|文章|話|名前|旋律|題)(?:は|が)、?$")
_MEDIA = ("絵", "画", "アニメ", "写真", "漫画", "イラスト")
_DENIED = re.compile(r"(?:ない|なかった|ません|ませんでした)[。！]?$")
_SEEMS = re.compile(r"見え|みえ|思え|感じ|聞こえ")


@cache
def _design() -> re.Pattern[str]:
    return re.compile(either("ja", "designs"))


# A predicate at the end of a sentence: this tells, and is no list of things to draw.
_TOLD = re.compile(r"(?:[るたいだうくすつぬむぶぐん]|ます|です|ない|ません|でした)[。！？!?]?\s*$")
_ABOUT = re.compile(r"か(?:何か|なにか)$")
_FELT = re.compile(r"触り|心地|どけ|立ち|ほっぺ|輝き|光沢|つや|のどごし|後味|余韻|[いし甘軽白速強重柔か]さ(?:$|の)")
_STOP = re.compile(r"[、。をがはにでと]")
_TOPIC = re.compile(r"[^でに](?:は|が)")
_OF_WHICH = re.compile(r"る(?=[^。、！？\n])(?!よう)")
_ALIKE = re.compile(r"た(?=[^。、！？\nのとよも所人感]|の[^は])")
_LIKEWISE = re.compile(r"に、?|の(?!よう)|、")
_IS = re.compile(r"(?:だ|です|である|であり|でもあ|で、|だっ|でし|$)")
_EMPHASIS = re.compile(r"(?:まるで|あたかも|ちょうど|さながら|いわば|言わば)、?$")
_NOUN = re.compile(r"(?:[一-龯々]+[いなたる])?[一-龯々ァ-ヺー]+(?:の[一-龯々ァ-ヺー]+)?")
_SAID_OF = re.compile(r"(?:^|[、。])?([^、。]{1,14}?)(?:は|が(?![っりるれろらわ])|も)、?(?=[^、。]*$|[^。]*$)")
_LONGEST_CLAUSE = 300


@cache
def _made() -> re.Pattern[str]:
    return re.compile(rf"[^、。]{{0,10}}(?:{either('ja', 'made')})")


@cache
def _light() -> re.Pattern[str]:
    return re.compile(rf"(?:{either('ja', 'light')})(?:だ|です|である|だっ|で|。|$)")


def figures(text: str) -> Iterator[PlannedFigure]:
    """The explicit similes of a Japanese text, in order."""
    design: bool | None = None
    for start, end in stretches(_CLAUSE, text, _LONGEST_CLAUSE):
        if (
            not _MARKER.search(text, start, end)
            and max(text.find(word, start, end) for word in ("まるで", "さながら", "より")) < 0
        ):
            continue
        if design is None:
            design = any(not _SHAPED.match(text, match.start()) for match in _design().finditer(text))
        told = _TOLD.search(text, start, end) is not None
        done = start
        for marker in _MARKER.finditer(text, start, end):
            if marker.start() >= done:
                figure = _marked(text, done, end, marker, told=told, design=design)
                if figure is not None:
                    yield figure
                    done = figure.whole[1]
        if done == start and not design and text.find("より", start, end) > 0:
            beyond = _outdone(text, start, end)
            if beyond is not None:
                yield beyond
                done = beyond.whole[1]
        if done == start and not design and ("まるで" in text[start:end] or "さながら" in text[start:end]):
            outright = _outright(text, start, end)
            if outright is not None:
                yield outright


def _outdone(text: str, start: int, end: int) -> PlannedFigure | None:
    """``雪より白い``: more of a quality than the thing that stands for it; not of size, and no person."""
    said = _MORE.search(text, start, end)
    if said is None or _TOPIC.search(text, start, said.start()) is None:
        return None
    found = noun_before(text, start, said.start())
    if found is None or text[slice(*found[0])] not in words("ja", "standards"):
        return None
    span = (said.start(), said.start("how"))
    return PlannedFigure(
        span, found[0], (found[1], said.start()), (found[1], span[1]), "", _qualities(text, found[0]), False, _WHY,
        _tenor(text, start, found[1], span[1], end, "adverb"), 0.7,
    )  # fmt: skip


def _outright(text: str, start: int, end: int) -> PlannedFigure | None:
    """``駅前の人波は、まるで川だった``: said to be the thing, and meant as a likeness."""
    said = _OUTRIGHT.search(text[start:end])
    if said is None or _TOPIC.search(text, start, start + said.start()) is None:
        return None
    begin, stop = start + said.start("what"), start + said.end("what")
    found = noun_before(text, begin, stop)
    if found is None or text[slice(*found[0])] in words("ja", "no_vehicle") | words("ja", "opposites"):
        return None
    marker = (start + said.start(), begin)
    return PlannedFigure(
        marker, found[0], (begin, stop), (marker[0], stop), None, _qualities(text, found[0]), False, _WHY,
        _tenor(text, start, marker[0], stop, end, "predicate"), 0.7,
    )  # fmt: skip


def _marked(
    text: str, start: int, end: int, marker: re.Match[str], *, told: bool, design: bool
) -> PlannedFigure | None:
    begin = max(start, marker.start() - LONGEST)
    saying = saying_before(text, begin, marker.start(), marker.group())
    verbal = marker["verb"] is not None or (marker.group() == "みたい" and text[marker.start() - 1] in "ただ")
    if saying is not None:
        vehicle, left = saying
    elif verbal and (supposed := _supposed(text, start, begin, end, marker)) is not None:
        vehicle, left = supposed
    elif marker.group().startswith(("かの", "が")):
        return None
    elif verbal and text[marker.start() - 1 : marker.start()] in tuple("るうくすつぬむぶぐ"):
        found = None
        if marker.group() == "よう" and _FORCE.match(text, marker.end(), end):
            found = thing_of_force(text, begin, marker.start())
        if told and text[marker.end() : marker.end() + 1] == "に" and marker.group() == "よう":
            after_it = text[marker.end() + 1 : end]
            found = thing_at_work(text, start, marker.start(), after_it)
            found = found or thing_handled(text, start, marker.start(), after_it)
        if found is None:
            return None
        vehicle, left = found
    elif verbal and text[marker.start() - 1 : marker.start()] in ("た", "だ"):
        found = thing_done(text, begin, marker.start())
        if found is None and told and text.startswith("な", marker.end()):
            found = thing_drawn_with(text, begin, marker.start())
        if found is None and told and (marker.group() == "よう" or text.startswith("に", marker.end())):
            found = thing_befallen(text, begin, marker.start())
        if found is None:
            return None
        vehicle, left = found
    elif marker["noun"] is not None:
        about = _ABOUT.search(text[begin : marker.start()])
        found = noun_before(text, begin, begin + about.start() if about else marker.start())
        if found is None or text[slice(*found[0])] in words("ja", "no_vehicle"):
            return None
        if marker.group() == "めい" and text[slice(*found[0])] in _SEASONS and _OF_SEASON.match(text, marker.end()):
            return None
        if marker.group() in _GRADES and not of_the_world(text[slice(*found[0])], marker.group()):
            return None
        if text[slice(*found[0])] in words("ja", "kin") and _ALIKE_KIN.search(marker.group()):
            return None
        vehicle, left = found
    else:
        return None
    if not told and text[slice(*vehicle)].endswith(_MEDIA):  # `油絵のような夜景`: how it is to be painted
        return None
    if text.startswith("には", marker.end()) and _DENIED.search(text, marker.end(), end):
        return None
    bare, left = left, _emphasis(text, start, left)
    how, after = _place(text, marker, end)
    if marker.group().startswith(_EVOKES) and _RECALLS.search(text[start:left]):  # `この曲は海を思わせる`
        return None
    seen = _DESIGN if design else None
    if saying is None and len(text[slice(*vehicle)]) > 1 and text[slice(*vehicle)] in text[start:left]:  # two of a kind
        return None
    if verbal and saying is None and how == "predicate" and bare == left:
        topic = _tenor(text, start, left, after, end, how)
        if not told or topic is None or not unfeeling(text[slice(*topic)]):  # `彼は窓を開けたようだ` is hearsay
            return None
    if how == "noun" and _SHAPED.match(text, after - 1):  # `岬は、水を飲む牛そっくりの形をしている`
        topic = _tenor(text, start, left, after, end, "predicate")
        natural = told and topic is not None and unfeeling(text[slice(*topic)])
        if text[after] == "形" and not natural:
            return None
        how = "predicate" if natural else how
    if how == "noun" and told and text.startswith("模様", after):  # `氷がレースのような模様を描く`
        topic = _tenor(text, start, left, after, end, "predicate")
        how = "predicate" if topic is not None and unfeeling(text[slice(*topic)]) else how
    if how in ("noun", "adverb") and (_STYLE.match(text, after) or _MIMIC.match(text, after)):
        return None
    if (
        saying is None
        and len(text[slice(*vehicle)]) < 3
        and how != "predicate"
        and text.find(text[slice(*vehicle)], after, after + 8) >= 0
    ):
        return None  # two of a kind: `あの山のように高い山`
    if how == "noun" and saying is None and marker.group() == "のよう" and _SORT.match(text, after, end):
        return None  # `鉛筆のような細長い物`
    if how == "noun" and akin(text[slice(*vehicle)], text[after : min(end, after + 12)]):
        return None
    if not told and how == "adverb" and _ROLE.search(text[slice(*vehicle)]):  # a part that is played
        return None
    if saying is None and (
        (text[vehicle[0] - 1 : vehicle[0]] in ("や", "・") and not text.endswith("今や", start, vehicle[0]))
        or _LIST.search(text, max(0, vehicle[0] - 9), vehicle[0])
    ):
        return None  # a list of examples
    if how is None or (
        how == "predicate" and saying is None and not _is_likened(text, start, left, vehicle, marker, bare != left)
    ):
        return None
    emphatic = bare != left and not any(thing in text[after : after + 8] for thing in words("ja", "artifacts"))
    if (
        how == "noun"
        and seen is None
        and not told
        and not emphatic
        and not _undesigned(text[after : min(end, after + 8)], text[slice(*vehicle)])
    ):
        seen = "asked for as a thing of this look; a list of things to draw, not a story"
    asked = text[after:end].split("、")[0] if how == "noun" else text[after:end].rstrip("。、 ")
    if not told and asked.endswith(tuple(words("ja", "artifacts"))) and not _of_stuff(asked, text[slice(*vehicle)]):
        seen = _DESIGN
    if how == "adverb" and _made().match(text, after, end):
        seen = _DESIGN
    if how == "adverb" and _CLAIM.match(text, after):  # `医師であるかのように名乗った`
        return None
    if how == "adverb" and _BUT.match(text, after):
        return None
    if how == "adverb" and (thing := _SEEN_THING.match(text, after)) and not _undesigned(thing["thing"], ""):
        return None  # `鏡のように見える板`
    if how == "adverb" and _SEEMS.match(text, after):
        seen, how = (None, "predicate") if told and "に見えるように" not in text[after:end] else (_DESIGN, how)
        if verbal and saying is None:
            return None
    if (
        text[after:end].rstrip().endswith(("ください", "下さい", "してね", "お願いします", "ほしい"))
        and how == "adverb"
    ):
        return None
    carried = _qualities(text, vehicle)
    if how == "noun" and _UNSEEN.match(text, after, end):
        carried = ()
    if (
        how == "noun"
        and not carried
        and (_COLOR.match(text, after, end) or _light().match(text, after, end) or _BEARS.match(text, after, end))
    ):
        how = "predicate"  # `太陽のような人だ`, `鷹のような目で` do not stand without it
    if left > start and not _STARTS_AFTER.match(text, left - 1):  # `犬と猿のように`, `目覚まし|時計のように`
        how = "predicate"
    if how == "noun" and _OF_SUBJECT.search(text[start:left]) and _LAST.match(text, after, end):
        how = "predicate"  # `銀杏が金の雨のような並木道`
    replacement = None if seen or how == "predicate" else carried[0] if how == "noun" and carried else ""
    span = (marker.start(), _marker_end(text, marker, after))
    return PlannedFigure(
        span, vehicle, (left, marker.start()), (left, after), replacement, carried, seen is not None, seen or _WHY,
        _tenor(text, start, left, after, end, how), 0.9 if not verbal else 0.8,
    )  # fmt: skip


def _supposed(text: str, start: int, begin: int, end: int, marker: re.Match[str]) -> tuple[Span, int] | None:
    """``鎧でもまとっているかのように``, ``まるで糸で引かれるように``, ``亡霊を見たような顔``: said not to be so."""
    plainly = marker.group().startswith(("かの", "が")) or _EMPHATIC.search(text, start, marker.start()) is not None
    if not plainly and _LOOKS.match(text, marker.end(), end) is None:
        return thing_supposed(text, begin, marker.start(), even=True)
    return thing_supposed(text, begin, marker.start(), even=False)


def _of_stuff(said: str, vehicle: str) -> bool:
    """``水晶のような高層ビル``: a town or a building as of some stuff; its look and not its shape."""
    return said.endswith(tuple(words("ja", "skyline"))) and vehicle in words("ja", "standards")


def _undesigned(following: str, vehicle: str) -> bool:
    """Whether what the comparison stands before is a person, a part of the body, weather, landscape: no product."""
    said = _STOP.split(following)[0]
    if _of_stuff(said, vehicle) or _COLOR.match(following):
        return True
    if any(thing in said for thing in words("ja", "artifacts")):
        return False
    return _FELT.search(said) is not None or any(thing in said for thing in words("ja", "natural"))


def _is_likened(text: str, start: int, left: int, vehicle: Span, marker: re.Match[str], emphatic: bool) -> bool:
    """`湖面は鏡のようだ` and not `見物人のようだ`, `留守みたいだ`: a thing, said of something named."""
    if emphatic or not (
        marker.group().startswith("のよう") or marker.group() in ("みたい", "そっくり", "にそっくり", "に瓜二つ")
    ):
        return True
    if marker["noun"] is None:
        return marker.group() == "よう"
    if _THAT.search(text[start:left]):
        return False
    topic = _tenor(text, start, left, left, left, "predicate")
    nobody = topic is not None and unfeeling(text[slice(*topic)])
    if topic is not None and _FELT.search(text[slice(*topic)]):  # `口どけは淡雪のよう`
        return True
    if text[slice(*vehicle)].endswith(tuple(words("ja", "guessed"))) and not (
        nobody and text[slice(*vehicle)].endswith(tuple(words("ja", "persons")))
    ):
        return False
    return _TOPIC.search(text, start, left) is not None


def _place(text: str, marker: re.Match[str], end: int) -> tuple[str | None, int]:
    """`adverb`, `noun` or `predicate`, and where the sentence goes on; None: a guess or a purpose."""
    stop, word = marker.end(), marker.group()
    if word.startswith(("を思", "をおも", "を想", "を彷彿", "を連想")):
        tail = _OF_WHICH.match(text, stop, end)
        return ("noun", tail.end()) if tail else ("predicate", stop)
    if word in _GRADES or word.startswith("といった"):
        joint = text[stop]
        return ("predicate", stop) if joint == "だ" else ("noun" if joint == "の" else "adverb", stop + 1)
    if word.startswith(("か何かと", "かなにかと", "かと思", "かとおも")):
        return ("noun" if word.endswith(("の", "な", "る")) else "adverb"), stop
    if word.startswith("とでも") or word == "然とした":
        return "noun", stop
    if word.startswith("然と"):
        return "adverb", stop
    if word.endswith("似"):
        tail = _ALIKE.match(text, stop, end)
        return ("noun", tail.end()) if tail else ("predicate", stop)
    if word.endswith(("ごとく", "如く")):
        return "adverb", stop + (text[stop : stop + 1] == "、")
    if word in ("のごとき", "の如き") or word.startswith("と見"):
        return "noun", stop
    if word in ("めい", "じみ"):
        return ("noun", stop + 1) if text[stop] == "た" else ("adverb", stop + 1)
    if word in ("のごとし", "の如し"):
        return "predicate", stop
    if word.endswith(("そっくり", "さながら", "瓜二つ", "同然")) and _IS.match(text, stop, end):
        return "predicate", stop
    if word in (
        "さながら",
        "顔負け",
        "も顔負け",
        "同然",
        "も同然",
        "と同然",
        "そっくり",
        "にそっくり",
        "よろしく",
        "もどき",
    ):
        tail = _LIKEWISE.match(text, stop, end)
        if tail is None or (word not in ("さながら", "よろしく") and tail.group() == "、"):
            return ("adverb", stop) if word in ("さながら", "よろしく") else (None, stop)
        return ("noun" if tail.group() == "の" else "adverb"), tail.end()
    after = _AFTER_ADVERB.match(text, stop, end)
    if word == "みたく":
        return "adverb", stop
    if after is not None and after.group() not in ("て", "く"):
        return ("adverb" if after.group()[0] == "に" else None), after.end()
    if (
        text[stop : stop + 1] == "な"
        and text[stop : stop + 2] not in ("なら", "なの", "なん")
        and (text[stop : stop + 2] != "な気" or text.startswith(("な気分", "な気配", "な気迫"), stop))
        and text[stop + 1 : stop + 3] not in ("もの", "感じ", "気が")
    ):
        return "noun", stop + 1
    if _IS.match(text, stop, end):
        return "predicate", stop
    return None, stop


def _marker_end(text: str, marker: re.Match[str], after: int) -> int:
    while after > marker.end() and text[after - 1] in "、 ":
        after -= 1
    return after


def _emphasis(text: str, start: int, left: int) -> int:
    """``まるで`` and its like belong to the comparison."""
    before = _EMPHASIS.search(text[start:left])
    return left if before is None else start + before.start()


def _qualities(text: str, vehicle: Span) -> tuple[str, ...]:
    return qualities("ja").get(text[slice(*vehicle)], ())


def _tenor(text: str, start: int, left: int, after: int, end: int, how: str) -> Span | None:
    """What the sentence is about (before は or が), or the noun that the comparison stands before."""
    if how == "noun":
        noun = _NOUN.match(text, after, end)
        return None if noun is None else noun.span()
    topics = list(_SAID_OF.finditer(text[start:left]))
    if not topics:
        return None
    begin, stop = topics[-1].span(1)
    return start + begin, start + stop
