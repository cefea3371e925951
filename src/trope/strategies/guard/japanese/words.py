"""Where a Japanese vehicle begins and ends: by its script, by の, and by what was done to it."""

from __future__ import annotations

import re
from functools import cache

from trope.strategies.guard.lexicon import either, lists, words
from trope.strategies.guard.plan import Span

LONGEST = 32
_KANJI = "一-龯々〆ヶ"
_KATA = "ァ-ヺー"
# kanji, or kanji + the stem of a verb + kanji (`枯れ木`), not an adjective or an attributive verb (`白い羽`, `眠る羊`)
_RUN = re.compile(
    rf"(?:お|ご)?(?:[{_KANJI}]+[ぁ-ん]?[きぎしじちりみびえけげせてねべめれ][{_KANJI}]+|[{_KANJI}]+[りれきぎしちみびけめせえ]|[{_KANJI}{_KATA}]+|[A-Za-zＡ-Ｚａ-ｚ]+)$"
)
_TE = re.compile(rf"[{_KANJI}]+て(?=[{_KANJI}])")
_PLAIN = re.compile(r"(?:(?<=[はがをにで、])|(?<=[一-龯]の)|^)[ぁ-ん]{2,6}$")
# a noun that ends in kana, where の or みたい shows that it is one: `雨だれ`, `縄ばしご`
_MIXED = re.compile(
    rf"[{_KANJI}{_KATA}]+(?![はがをにでとものへや]|から|まで|だけ|ほど|など|より|たち|さん|ばか|くら|かも|いの)[ぁ-ん]{{1,3}}$"
)
# a noun in kana after what describes it: `浮かぶ|あひる`, `干からびた|しょうが`
_DESCRIBED_KANA = re.compile(
    rf"(?:[{_KANJI}]|(?:^|[、はがをにで])[ぁ-ん]{{1,4}}(?=った))(?:(?!く[な]|う[とか]|い[たて]|た[りら]|る[とのべか])[ぁ-ん])*?[るうくすつぬむぶぐただいな](?P<noun>(?![をっゃゅょんでにがはものへ]|て(?![んつぶ]))[ぁ-ん]{{2,6}})$"
)
_NO_NOUN = re.compile(
    r"(?:まま|つもり|ため|もの|こと|とき|ところ|はず|わけ|よう|くらい|ぐらい|ほど|だけ|ばかり|など|から|まで|より|ふう|ころ|うち|あと|まえ|ひと|ほう|たち|らしい|そう|かのう|なか|どおり|とおり|せい|おかげ|やつ|かも|たびたび|たび|ごと|さま|かた|みたい)$"
)
_INFLECTED = tuple("るうくすつぬむぶぐただいなてでにをはがらも")
_ENDINGS = ("ない", "たい", "ます", "てる", "ている", "いる", "ある", "する", "れる", "った", "いた", "しい")
_TOPICS = re.compile(r"[^の、。](?:は|が(?![っりるれろらわ]))(?=[^はが]*$|[^は]*$)")
_DESCRIBED = re.compile(rf"(?:[{_KANJI}{_KATA}ぁ-ん]{{1,12}}(?:い|た|んだ|る|な|の|う|く|す|ぬ|む|ぶ|ぐ|つ))$")
_UNITS = re.compile(r"(?<=[をにで])")
_ATTRIBUTIVE = re.compile(r"(?:た|んだ|る|う|く|す|む|ぶ|ぐ|つ|ぬ)$")


@cache
def _kana() -> re.Pattern[str]:
    return re.compile(rf"(?:{either('ja', 'kana')})$")


@cache
def _fixed() -> re.Pattern[str]:
    return re.compile(rf"(?:{either('ja', 'fixed')})$")


def _run(text: str, begin: int, end: int) -> int | None:
    """Where the noun that ends at ``end`` begins, without what stands before a の."""
    piece = text[begin:end]
    listed = _kana().search(piece)
    run = _RUN.search(piece)
    nominal = text.startswith(("のよ", "同然", "も同然", "同様", "並み"), end) or (
        text.startswith("みた", end) and not piece.endswith(_INFLECTED)
    )
    plain = _PLAIN.search(piece) if nominal and run is None else None
    told_of = _DESCRIBED_KANA.search(piece) if nominal and run is None and listed is None and plain is None else None
    if told_of is not None and not _NO_NOUN.search(piece) and not piece.endswith(_ENDINGS):
        return begin + told_of.start("noun")
    object_of = text.startswith(("を", "でも"), end)
    mixed = _MIXED.search(piece) if (nominal and not piece.endswith(_INFLECTED)) or object_of else None
    mixed = mixed if run is None else None
    starts = [m.start() for m in (listed, run, plain, mixed) if m is not None]
    if not starts:
        return None
    start = min(starts)
    compound = _kana().search(piece[:start]) if start else None  # `おもちゃ箱`
    if compound is not None:
        return begin + compound.start()
    joined = _TE.match(piece, start) if run is not None and start == run.start() else None
    if joined is not None:
        return begin + joined.end()
    return begin + start


def noun_before(text: str, begin: int, end: int) -> tuple[Span, int] | None:
    """The noun right before a marker, and where its phrase with all that describes it begins."""
    fixed = _fixed().search(text[begin:end])
    if fixed is not None:
        return (begin + fixed.start(), end), begin + fixed.start()
    start = _run(text, begin, end)
    if start is None or start == end:
        return None
    stop = end
    noun = text[start:stop]
    if text[start - 1 : start] == "の" and start - 1 > begin:
        inner = _run(text, begin, start - 1)
        if inner is not None and noun in words("ja", "collectives"):
            start, stop = inner, start - 1
        elif (
            inner is not None
            and noun in words("ja", "dependent")
            and text[inner : start - 1] not in words("ja", "places")
        ):
            start = inner
    if stop - start > 10:
        return None
    return (start, stop), _phrase_start(text, begin, start)


def _phrase_start(text: str, begin: int, start: int) -> int:
    """Back over modifiers to the last comma or topic."""
    piece = text[begin:start]
    cut = max(piece.rfind("、"), piece.rfind("。"), piece.rfind("　"))
    for topic in _TOPICS.finditer(piece):
        cut = max(cut, topic.end() - 1)
    if cut < 0 or cut + 1 < len(piece):
        described = _DESCRIBED.search(piece[cut + 1 :])
        if described is None:
            return start
        inner = piece[cut + 1 :]
        # an object or a place before the describing word belongs to another verb: keep the last unit only
        units = _UNITS.split(inner)
        kept = units[-1] if len(units) > 1 and not _attributive(units[-2:]) else inner
        return start - len(kept)
    return start


def _attributive(units: list[str]) -> bool:
    """Whether `水を + 飲みに来た` describe the noun together: the last unit ends in a verb form."""
    return bool(_ATTRIBUTIVE.search(units[-1]))


@cache
def _sayings() -> tuple[tuple[str, str], ...]:
    pairs = (entry.strip().split("|") for entry in lists("ja")["sayings"].split(";") if entry.strip())
    return tuple(sorted(((saying, vehicle) for vehicle, saying in pairs), key=lambda p: -len(p[0])))


def saying_before(text: str, begin: int, end: int, marker: str) -> tuple[Span, int] | None:
    """A fixed saying right before a marker: its vehicle, and where it begins."""
    piece = text[begin:end]
    for said, vehicle in _sayings():
        bare = said.removesuffix("の") if said.endswith("の") and marker.startswith("の") else said
        if piece.endswith(bare) and (bare == said or marker.startswith("の")):
            start = end - len(bare)
            at = text.index(vehicle, start)
            return (at, at + len(vehicle)), start
    return None


_DONE = re.compile(
    rf"(?P<what>[^、。はが]{{1,20}}?)(?P<case>を)(?P<rest>[^、。をはが]{{0,14}}?)(?P<verb>[{_KANJI}ぁ-ん]{{1,8}})[ただ]$"
)


def thing_done(text: str, begin: int, end: int) -> tuple[Span, int] | None:
    """``墨を流した``: the thing something was done to, and where the clause begins; None for a report."""
    piece = text[begin:end]
    found = _DONE.search(piece)
    if found is None:
        return None
    verb = piece[found.start("rest") : found.end("verb")]
    if verb.endswith(tuple(words("ja", "reports"))):
        return None
    stop = begin + found.end("what")
    noun = noun_before(text, begin + found.start("what"), stop)
    if noun is None or text[slice(*noun[0])] in words("ja", "no_vehicle"):
        return None
    with_it = text.rfind("で", begin, noun[0][0])
    if text[slice(*noun[0])] in _TRACES and with_it == noun[0][0] - 1:  # `チョークで線を引いたような`
        return noun_before(text, begin, with_it) or noun
    return noun


_TRACES = ("線", "筋", "跡", "円", "輪", "印", "模様", "字")
_EVEN = re.compile(
    r"(?:^|[、はがもに])(?P<what>[^、。はがをに]{1,14}?)でも(?P<rest>[^、。をはがも]{1,12}(?:[ただ]|[てで][いあ]る))$"
)
_SUPPOSED = (
    re.compile(r"(?P<what>[^、。はが]{1,20}?)を(?P<rest>[^、。をはが]{1,18})$"),
    re.compile(r"(?P<what>[^、。はが]{1,20}?)が(?![っりるれろらわ])(?P<rest>[^、。が]{1,16})$"),
    re.compile(r"(?:^|[、はがもを])(?P<what>[^、。はがをに]{1,14}?)(?:[にで]|から)(?P<rest>[^、。はがをに]{2,12})$"),
)
_EMPHATIC = re.compile(r"(?:まるで|あたかも|さながら)、?")
_NOT_SO = re.compile(r"(?:ない|なかった|ず)$")


def thing_supposed(text: str, begin: int, end: int, *, even: bool) -> tuple[Span, int] | None:
    """``鎧でもまとっている``, ``幽霊を見た``, ``舞台に立った``: in what is said not to be so; even: only with でも."""
    begin += max((m.end() for m in _EMPHATIC.finditer(text[begin:end])), default=0)
    for pattern in (_EVEN,) if even else (_EVEN, *_SUPPOSED):
        found = pattern.search(text[begin:end])
        if found is None or _NOT_SO.search(found["rest"]):
            continue
        noun = noun_before(text, begin + found.start("what"), begin + found.end("what"))
        if noun is None:
            continue
        said = text[slice(*noun[0])]
        if said in words("ja", "places") and text[noun[0][0] - 1] == "の":  # `氷の上に立つかのごとく`
            noun = noun_before(text, begin, noun[0][0] - 1) or noun
            said = text[slice(*noun[0])]
        if said not in words("ja", "no_vehicle") | words("ja", "places") and said != "場":
            return noun
    return None


_BEFALLEN = re.compile(
    r"(?:^|[、はがをに])(?P<what>[^、。はがをに]{1,14}?)(?:が(?![っりるれろらわ])(?P<verb>[^、。はがをに]{1,8})|[にで](?P<passive>[^、。はがをに]{1,8}[れめ]))[ただ]$"
)


def thing_befallen(text: str, begin: int, end: int) -> tuple[Span, int] | None:
    """``糸が切れた``, ``雷に打たれた``: a thing and what happened, unless a person did it or it is reported."""
    found = _BEFALLEN.search(text[begin:end])
    if found is None or (found["verb"] or found["passive"]).endswith(tuple(words("ja", "reports"))):
        return None
    noun = noun_before(text, begin + found.start("what"), begin + found.end("what"))
    if noun is None:
        return None
    said = text[slice(*noun[0])]
    person = said in words("ja", "no_vehicle") or said.endswith(
        ("人", "者", "員", "客", "生", "師", "母", "父", "子", "達", "たち")
    )
    if person:
        return None
    clause = max(text.rfind(mark, begin, noun[1]) for mark in "、はがを")
    return noun[0], max(begin, clause + 1) if text[noun[1] - 1 : noun[1]] == "に" else noun[1]


_WORKS = re.compile(
    r"(?:^|[、はがもに])(?P<what>[^、。はがをに]{1,12}?)(?P<case>を|が(?![っりるれろらわ])|に)(?P<verb>[^、。をに]{1,7})$"
)
_COMES = re.compile(r"(?:来|くる|集ま|入|寄りつ|住|増|育)")
_ACTS_ON = re.compile(
    r"(?:^|[、。は])(?P<what>[^、。はがをに]{1,12}?)が(?![っりるれろらわ])[^、。はがをに]{1,10}を[^、。をに]{1,7}$"
)
_NEXT = re.compile(r"、([^、。はが]{1,12})[はが](?![っりるれろらわ])")
_PURPOSE = re.compile(
    r"[^。]*(?:言|頼|命|願|祈|勧|促|求め|伝え|気をつけ|心がけ|設定|注意|指示|お願い|合図|準備|工夫)|(?:し|する|な)[てっりるた]"
)
_POTENTIAL = re.compile(r"(?<![らわかさま])(?:[えけせてねへめれげべ]る|見える|聞こえる|できる|ない)$")


def thing_at_work(text: str, begin: int, end: int, after: str) -> tuple[Span, int] | None:
    """``小鳥がついばむ``, ``磁石に引かれる``, ``樽を転がす``: in its plain form before ように, and no purpose.

    A purpose takes a verb of no will or of being able; so an animal that does something is a likeness, and so is a
    thing that draws or pushes somebody; what is done to a thing is one where the sentence is about nobody.
    """
    if _PURPOSE.match(after):
        return None
    active = _ACTS_ON.search(text[begin:end])
    if active is not None and active["what"].endswith(tuple(words("ja", "animals"))):
        return noun_before(text, begin + active.start("what"), begin + active.end("what"))  # `母鳥が雛を守るように`
    found = _WORKS.search(text[begin:end])
    if found is None:
        return None
    verb, case = found["verb"], found["case"]
    noun = noun_before(text, begin + found.start("what"), begin + found.end("what"))
    if noun is None or text[slice(*noun[0])] in words("ja", "no_vehicle"):
        return None
    said = text[slice(*noun[0])]
    person = said.endswith(tuple(words("ja", "persons")))
    if case == "に":
        return noun if verb.endswith("れる") and not person else None
    if _POTENTIAL.search(verb):
        return None
    if case == "が" and _COMES.match(verb):  # `鳥が来るように巣箱を掛けた`
        return None
    if case == "が" and said.endswith(tuple(words("ja", "animals"))):
        return noun
    subject = _NEXT.match(after)  # `枯れ葉が舞うように、蝶が`
    if (
        subject is not None
        and not person
        and (unfeeling(subject[1]) or subject[1].endswith(tuple(words("ja", "animals"))))
    ):
        return noun
    topics = list(_TOPICS.finditer(text[begin : begin + found.start("what")]))
    return noun if topics and unfeeling(text[begin : begin + topics[-1].end() - 1]) else None


_AIM = re.compile(
    r"(?:[^。]*に)?、?(?:と|も)?言|[^。]*(?:頼|命じ|願|祈|勧|促|求め|伝え|気をつけ|心がけ|設定|注意|指示|合図|準備|工夫|努|教え|書いて|練習)|(?:し|する|な)[てっりるた]"
)
_OTHER = re.compile(r"が(?![っりるれろらわ])")
_HANDLES = re.compile(
    r"(?P<what>[^、。はがをに]{1,14})を(?:[^、。をはが]{1,6}[にでへ])?(?P<verb>[^、。はがをに]{1,8})$"
)


def thing_handled(text: str, begin: int, end: int, after: str) -> tuple[Span, int] | None:
    """``死んだ小鳥を葬る``: before ように a deed of the one the sentence is about, and no purpose.

    A purpose of one's own takes ために; what is left are ways of moving and of placing things (`庭を囲むように`,
    `顔を隠すように`), which are literal, and what somebody else shall do (`弟が薬を飲むように`).
    """
    topic = text.rfind("は", begin, end)
    found = _HANDLES.search(text[begin:end])
    if topic < 0 or found is None or topic > begin + found.start("what") or _AIM.match(after):
        return None
    before = text[topic : begin + found.start("what")]
    verb = found["verb"]
    if _OTHER.search(before) or _ABLE.search(verb) or verb.startswith(tuple(words("ja", "literal_verbs"))):
        return None
    noun = noun_before(text, begin + found.start("what"), begin + found.end("what"))
    if noun is None or text[slice(*noun[0])] in words("ja", "no_vehicle"):
        return None
    if "を、" in before:  # `手紙を、死んだ小鳥を葬るように`: the other thing is what it is done to
        return noun
    if _POTENTIAL.search(verb) or _bodily(text[slice(*noun[0])]):
        return None
    other = _OBJECT.search(after)
    return noun if _GOES.search(after) or (other is not None and not _bodily(other[1])) else None


_ABLE = re.compile(r"(?:られる|見える|聞こえる|できる|ない)$")
_OBJECT = re.compile(r"([^、。はがをに]{1,8})を")
_GOES = re.compile(r"歩|進|走|語|話|言")


def _bodily(noun: str) -> bool:
    literal = words("ja", "literal_objects")
    return noun in literal or noun.endswith(("足", "手", "腕", "指", "首", "膝", *(w for w in literal if len(w) > 1)))


_FORCED = re.compile(
    r"(?:^|[、はがもに])(?P<what>[^、。はがをに]{1,12}?)(?:を|で|が(?![っりるれろらわ]))(?P<verb>[^、。はがをに]{1,8})$"
)
_DRAWN = re.compile(
    r"(?:^|[、はがもに])(?P<what>[^、。はがをにで]{1,10})で(?:[^、。はがをに]{0,4})(?:引い|刷い|切っ|削っ|割っ|突い|えぐっ|彫っ|揚げ|塗っ|打っ|貼っ|縫っ|掘っ|焼い|撫で|なで|掃い|なぞっ|叩い|[ひ一]と?塗りし)[ただ]$"
)


def thing_of_force(text: str, begin: int, end: int) -> tuple[Span, int] | None:
    """``油で揚げる``, ``鉄板を叩く``: what makes such a sound or has such a force."""
    return _told_by(_FORCED, text, begin, end)


def thing_drawn_with(text: str, begin: int, end: int) -> tuple[Span, int] | None:
    """``筆で引いた``: the tool that would have left such a trace."""
    return _told_by(_DRAWN, text, begin, end)


def _told_by(pattern: re.Pattern[str], text: str, begin: int, end: int) -> tuple[Span, int] | None:
    found = pattern.search(text[begin:end])
    if found is None:
        return None
    noun = noun_before(text, begin + found.start("what"), begin + found.end("what"))
    if noun is None or text[slice(*noun[0])] in words("ja", "no_vehicle") or _bodily(text[slice(*noun[0])]):
        return None
    return noun


def of_the_world(noun: str, marker: str) -> bool:
    """Whether a noun names a thing, an animal, weather or landscape: no town, no person, nothing a house is made of."""
    if marker == "ばり" and len(noun) > 1 and re.fullmatch(r"[一-龯々ぁ-ん]+", noun):
        return not noun.endswith(_SHEETS)  # `相撲取りばりの腹`
    if noun in words("ja", "grades"):
        return True
    named = ("natural", "standards", "animals", "artifacts", "kana")
    return not noun.endswith(_SHEETS + _FOLK) and any(noun.endswith(tuple(words("ja", name))) for name in named)


_FOLK = ("大人", "おとな", "子ども", "子供", "こども", "さん", "様", "さま")
_SHEETS = ("ガラス", "板", "鏡", "革", "布", "皮", "町", "街", "村", "家", "手", "足", "心")


def unfeeling(topic: str) -> bool:
    """Whether what a sentence is about is surely nobody: landscape, weather, sounds, light."""
    return topic.endswith(tuple(words("ja", "natural") - words("ja", "persons"))) and not topic.endswith(
        tuple(words("ja", "persons") | words("ja", "animals"))
    )


def akin(noun: str, following: str) -> bool:
    """``柴犬に似た犬``, ``桜のような白い花``: two of a kind."""
    said = re.split(r"[、。をがはにでと]", following)[0]
    for kind in ("animals", "plants"):
        if noun.endswith(tuple(words("ja", kind))) and _KIN[kind].search(said):
            return True
    if said.endswith(tuple(words("ja", "classes"))) or (
        noun.endswith(_SITES) and said.endswith(("場所", "ところ", "所"))
    ):
        return True
    if len(noun) > 1 and said == noun[-1] and said not in "光色声音目手":  # `看板のような板`
        return True
    if (noun.endswith(_HALLS) and said.endswith(_HOUSES)) or (noun.endswith(_BOOKS) and said.endswith("本")):
        return True
    if (noun.endswith("語") and said.endswith("言葉")) or said in ("布", "生地"):
        return True
    return noun in words("ja", "cities") and any(place in said for place in "街町国市村都島")


_BOOKS = ("図鑑", "辞書", "雑誌", "教科書", "事典")
_HALLS = ("城", "館", "寺", "教会", "宮殿", "神殿", "倉庫", "校舎", "小屋")
_HOUSES = ("建物", "家", "ホテル", "屋敷", "建築", "店", "校舎", "住宅")
_SITES = ("カフェ", "店", "館", "園", "施設", "センター", "駅", "学校")
_KIN = {
    "animals": re.compile(r"(?:[犬猫狼狐鳥魚虎熊馬蛇獣虫]|動物|ネコ|イヌ)(?:$|の$)"),
    "plants": re.compile(r"(?:[花木草葉]|鉢植え|植木|盆栽)(?:$|の)"),
}
