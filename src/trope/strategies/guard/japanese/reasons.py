"""Why a comparison is no figure: each reason is one small function, and says so in words."""

from __future__ import annotations

import re
from collections.abc import Callable

from trope.strategies.guard.japanese import orders, resemblances
from trope.strategies.guard.japanese.candidates import Candidate
from trope.strategies.guard.japanese.carried import known
from trope.strategies.guard.japanese.kinds import being, ends_in, feels_nothing, is_one_of
from trope.strategies.guard.japanese.phrases import adverbial, owner
from trope.strategies.guard.lexicon import words

Reason = Callable[[Candidate], str | None]


def deictic(c: Candidate) -> str | None:
    """いつものように, 次のように, 写真のように: a time, a model, somebody; nothing to be drawn."""
    if c.saying:
        return None
    noun = c.noun
    before = c.sentence.at(noun.first - 1)
    if before is not None and before.kind == "連体詞" and before.surface in ("この", "その", "あの", "どの"):
        return "refers to one that is there"
    of = owner(c.sentence, noun)
    if of is not None and of.words in ("本物", "実物"):
        return "a real one"
    if noun.head.kind in ("代名詞", "副詞", "接続詞") or (
        noun.words.endswith(("どおり", "通り")) and noun.head.sort.endswith("助数詞可能")
    ):
        return "refers to a time, a model or somebody"
    if is_one_of(of, "past_times"):
        return "refers to a time, a model or somebody"
    if of is not None and of.words in ("別", "他", "ほか"):
        return "another of the same"
    old = before is not None and before.kind == "形容詞" and c.told and c.marker.place == "adverb"
    if noun.words in ("写真", "絵") and old:  # `古い写真のように色あせる`
        return None
    if c.clause is None and c.marker.place == "adverb" and ends_in(noun, "tales") and not c.described:
        return "as one knows it from a story"
    if is_one_of(noun, "no_vehicle") and not (being(noun) and c.described and not being(c.topic)):
        return "refers to a time, a model or somebody"
    if noun.words.endswith(("時代", "世紀", "年代")):
        return "refers to a time or a place"
    when = c.clause is None and noun.first == noun.last and noun.head.sort.endswith("副詞可能")
    if when and not is_one_of(noun, "shown_times"):
        return "refers to a time or a place"
    if noun.head.kind == "形状詞" or (
        noun.head.sort.endswith("形状詞可能") and c.clause is None and noun.first == noun.last
    ):
        return "a manner, not a thing"
    if noun.head.kind == "形容詞" and c.clause is None:
        return "not a thing"
    return None


def seasonal(c: Candidate) -> str | None:
    """春を思わせる陽気, 真夏のように暑い: weather as it is then."""
    if c.marker.sort == "trace" or not is_one_of(c.noun, "shown_times"):
        return None
    weather = bool(c.following) and c.following[0].normal in words("ja", "weathers")
    return "weather as it is then" if weather or is_one_of(c.near, "season_things") else None


def named(c: Candidate) -> str | None:
    """京都のような町, ルノワールを思わせる光, 山田さんみたいに左利き: a place, a person, a studio that is real."""
    first, head = c.sentence.morphemes[c.noun.first], c.noun.head
    built = first is not head and _PLACE.search(c.noun.words) is not None
    sort = first.sort if built else head.sort
    titled = c.noun.words.endswith(tuple(words("ja", "titles"))) and not is_one_of(c.noun, "characters")  # 王様
    if first.sort.startswith("固有名詞-人名") and titled:
        return "compared with a person of this name"
    if c.emphatic or c.marker.place == "predicate":
        return None
    if sort.startswith("固有名詞-地名"):
        known = "国" in sort or built or is_one_of(c.noun, "cities") or _PLACE.search(c.noun.words) is not None
        felt = is_one_of(c.near, "sensations", "faces", "carriers")
        return "compared with a place of this name" if known and len(c.noun.words) > 1 and not felt else None
    if c.marker.place != "noun":
        return None
    persons = being(c.likened) or being(c.near)
    if "固有名詞-人名" in sort:
        painter = not c.told and not is_one_of(c.near, "body_parts", "faces")
        return "compared with a person of this name" if painter or persons else None
    brand = _LATIN.match(c.noun.words) or (sort == "固有名詞-一般" and not c.told and _KATAKANA.match(c.noun.words))
    return "compared with a product or a studio of this name" if brand and not persons else None


_KATAKANA = re.compile(r"[ァ-ヺー・]+$")
_LATIN = re.compile(r"[A-Za-zＡ-Ｚａ-ｚ0-9.&' -]+$")
_PLACE = re.compile(r"^[ァ-ヺー・]+$|[県市町村区都府州島国寺城宮]$|タワー$")


def denied(c: Candidate) -> str | None:
    """学生のようには見えなかった, 氷のように冷たくなどなく, 人形のようではない."""
    rest = c.rest[:24]
    if c.marker.place == "predicate" and _NOT_SO.match(c.rest):
        return "denied"
    if c.marker.place == "noun" and c.near is not None and _NOT_ONE.match(c.sentence.text, c.near.span[1]):
        return "denied"
    if _DENIED.match(rest) or (c.marker.place != "noun" and _NOT_AT_ALL.match(rest)):
        return "denied"
    return None


_DENIED = re.compile(r"(?:は|で(?:は|も)|じゃ)[^、。]{0,12}(?:ない(?![？?])|なかった|なく|ません|ぬ)")
_NOT_SO = re.compile(r"だ?、?(?:なんて|とは|などと)[^。]*(?:ない|なかった|ません)")
_NOT_AT_ALL = re.compile(r"[^、。]{1,8}(?:など|なんか|なんて)(?:なく|ない|なかった)")
_NOT_ONE = re.compile(r"では?(?:なか|なく|ない)")


def taken(c: Candidate) -> str | None:
    """蝶のようにも蛾のようにも見える, 子どもにしか見えない: what it may be."""
    if len(_EITHER.findall(c.sentence.quote(c.sentence.start, c.sentence.end))) > 1:
        return "taken for the one or the other"
    return "what somebody is taken for" if is_one_of(c.noun, "beings") and c.marker.sort == "seems" else None


_EITHER = re.compile(r"(?:よう|みたい)にも")


def there(c: Candidate) -> str | None:
    """猫ほどもある鯉を、足元の猫に見せた: the sentence goes on to speak of a real one."""
    if c.clause is not None:
        return None
    for m in c.sentence.morphemes[c.sentence.starting(c.marker.after) :]:
        if m.nominal and m.surface == c.noun.words and not _COMPARED.match(c.sentence.text, m.end):
            return "the sentence goes on to speak of one as there"
    return None


_COMPARED = re.compile(r"の?(?:よう|みたい|ごと|如)|さながら|そっくり|っぽ|じみ|めい")


def turned_out(c: Candidate) -> str | None:
    """船の灯りのようなものが見え、やがて本当に: what it looked like it was, or was not."""
    after = c.sentence.text[c.marker.after : c.marker.after + 60]
    turned = any(word in after for word in words("ja", "turned_out"))
    again = len(c.noun.words) > 1 or c.noun.name not in words("ja", "abstract")
    again = again and c.noun.words in after.partition("、")[2] + after.partition("。")[2]
    seemed = c.marker.place == "adverb" and _BUT.match(c.rest) is not None
    seemed = seemed or (turned and c.marker.place == "predicate" and _YET.match(c.rest) is not None)
    perceived = _PERCEIVED.match(c.rest) is not None
    return "what it looked like turned out" if seemed or (turned + again + perceived) > 1 else None


_BUT = re.compile(r"(?:見え|みえ|聞こえ)(?:る|た|ます|ました)(?:が|けれど|けど|のに|ものの|のは)")
_YET = re.compile(r"(?:だった|でした|だ|です)(?:が|けれど|けれども|けど|ものの)、")
_PERCEIVED = re.compile(r"[^、。]{0,10}(?:見え|みえ|聞こえ|した|する|影)")


def listed(c: Candidate) -> str | None:
    """りんごやみかんのような果物, 鉛筆のような細長い物: examples of a kind."""
    if c.clause is not None:
        return None
    before = c.sentence.at(c.noun.first - 1)
    literary = "ご" in c.sentence.quote(c.marker.start, c.marker.end)  # `夕立や太鼓のごとき`
    if (
        before is not None
        and (before.particle("や", "とか") or before.surface == "・")
        and c.marker.sort == "like"
        and not literary
    ):
        return "examples of a kind"
    if c.marker.place != "noun" or c.marker.sort not in ("like", "wonder", "alike"):
        return None
    if (
        before is not None
        and before.surface == "、"
        and c.sentence.at(c.noun.first - 3) is None
        and is_one_of(c.likened, "classes")
    ):
        return "examples of a kind"
    if is_one_of(c.near, "plant_kinds") and known(c.noun) and not ends_in(c.noun, "plants"):  # `星のような花`
        return None
    if ends_in(c.likened, "classes") or ends_in(c.near, "classes") or (is_one_of(c.near, "things") and not _thing(c)):
        return "one of a kind"
    return None


def guessed(c: Candidate) -> str | None:
    """外は雨のようだ, 彼は医者みたいだ, 犯人のようだ: hearsay, or a guess at what something is."""
    if (
        c.marker.place != "predicate"
        or c.marker.sort not in ("like", "trace")
        or c.emphatic
        or c.saying
        or c.clause is not None
    ):
        return None
    past = c.sentence.text.startswith(("だった", "でした", "であった", "で"), c.marker.after)
    if is_one_of(c.topic, "there") or (c.topic is None and (not past or being(c.noun))):
        return "a guess"
    if c.topic is not None and adverbial(c.topic) and c.noun.head.sort.endswith(("サ変可能", "形状詞可能", "副詞可能")):
        return "a guess"
    bodily = is_one_of(c.topic, "body_parts", "eyes")  # `肌は雪のようで`
    if is_one_of(c.noun, "weather", "conditions") and c.noun.span[1] == c.marker.start and not bodily:
        return "a guess"
    if ends_in(c.noun, "states") and not (feels_nothing(c.topic) and being(c.noun)):
        return "a guess"
    if being(c.noun) and being(c.topic) and is_one_of(c.noun, "roles"):
        return "a guess"
    if c.noun.head.sort.endswith(("サ変可能", "形状詞可能")) and c.noun.first == c.noun.last and being(c.topic):
        return "a guess"
    return None


def thinglike(c: Candidate) -> str | None:
    """水のようなものが床にこぼれている, 火事のような気がする: a thing one cannot name; a feeling that it is so."""
    if c.marker.place != "noun" or c.near is None:
        return None
    if c.near.words in ("もの", "物", "モノ", "やつ", "ん"):
        return None if _thing(c) else "a thing one cannot name"
    if c.near.words == "こと":
        return "a deed"
    if c.near.words in ("話", "本当") and c.noun.words in ("夢", "嘘", "うそ"):
        return "a saying that names no thing"
    if c.near.words in ("気", "気が") or c.sentence.text.startswith("気が", c.near.span[0]):
        return "a feeling that it is so"
    if c.near.words == "感じ" and not c.told:
        return "how it is to look"
    return None


def _thing(c: Candidate) -> bool:
    """`彼の文体はスルメのようなもので`: said of something."""
    if c.near is None or c.near.words not in ("もの", "物", "モノ", "やつ"):
        return False
    n = c.sentence.at(c.near.last + 1)
    return (n is None or n.kind == "助動詞" or n.surface in ("で", "、")) and (c.topic is not None or c.emphatic)


def heard(c: Candidate) -> str | None:
    """子犬のような鳴き声が聞こえる: what it sounds like it may be."""
    if c.marker.place != "noun" or c.near is None or not ends_in(c.noun, "animals"):
        return None
    cry = c.near.words in ("鳴き声", "声", "吠え声", "足音", "物音")
    does = len(c.following) > 1 and c.following[1].particle("が", "も")
    heard_of = any(m.normal == "聞こえる" or (m.normal == "為る" and does) for m in c.following[1:7])
    return "what is heard" if cry and heard_of else None


def recalled(c: Candidate) -> str | None:
    """この曲は海を思わせる: what a work is about."""
    if c.told and c.marker.sort == "evokes" and is_one_of(c.topic, "works"):
        return "what a work is about"
    return None


def worded(c: Candidate) -> str | None:
    """春めいた, 子どもっぽい: a word of its own."""
    if c.marker.sort != "trace":
        return None
    if c.sentence.text.startswith("っぽ", c.marker.start):
        return "a word of its own" if is_one_of(c.noun, "lexical_ish") else None
    if not is_one_of(c.noun, "seasons", "moods"):
        return None
    of_season = (
        is_one_of(c.noun, "moods")
        or c.marker.place != "noun"
        or is_one_of(c.near, "season_things")
        or len(c.noun.words) > 1
    )
    return "a word of its own" if of_season else None


def measured(c: Candidate) -> str | None:
    """拳ほどの石, 猫ほどもある鯉, 東京並みの家賃: a degree that is real; 線香花火くらいの火しか is an exaggeration."""
    if c.marker.sort == "degree":
        return "a size" if c.rest.startswith(("ある", "あり", "あっ")) else None
    if c.marker.sort == "speck":
        felt = c.near is not None and c.near.words.endswith("さ") and not is_one_of(c.near, "amounts")
        only = c.near is not None and c.sentence.text.startswith("しか", c.near.span[1])
        return None if is_one_of(c.noun, "specks") or felt or only else "a size"
    if c.marker.sort != "grade":
        return None
    kind = c.noun.head.sort
    real = ends_in(c.noun, "sheets") or is_one_of(c.noun, "degrees", "kin", "beings", "no_vehicle")
    real = real or is_one_of(c.near, "amounts") or kind.endswith(("副詞可能", "サ変可能")) or "固有名詞" in kind
    return "a degree that is real" if real else None


def wished(c: Candidate) -> str | None:
    """姉のような看護師になりたい: somebody to become, somewhere to live."""
    if not being(c.noun):
        return None
    return "somebody to become" if _WISH.search(c.rest[:24]) else None


_WISH = re.compile(r"(?:なり|住み|行き|暮らし)(?:たい|たか)|がほしい|が欲しい|に憧れ")


def quoted(c: Candidate) -> str | None:
    """雲みたいに軽い、という宣伝文句: words that somebody chose."""
    return "words that are quoted" if _QUOTED.match(c.rest) or _IN_WRITING.search(c.rest) else None


_IN_WRITING = re.compile(r"と(?:だけ|も)?(?:書いて|書かれ|記され|印刷され|刻まれ)")
_QUOTED = re.compile(
    r"[^、。]{0,10}、?(?:という|との|といった)[^、。]{0,4}(?:文句|言葉|名|題|タイトル|歌|曲|本|映画|小説|コピー|字|看板|台詞|セリフ|噂)"
)
REASONS: tuple[Reason, ...] = (
    deictic, seasonal, named, denied, taken, there, turned_out, listed, resemblances.two_of_a_kind, resemblances.kin,
    resemblances.occupied, resemblances.taught, resemblances.hidden, resemblances.renowned,
    orders.shaped, orders.styled, orders.designed,
    orders.chimera, orders.made, orders.worn, orders.grown, orders.toy, orders.played, orders.asked, orders.looked,
    resemblances.tastes, guessed, thinglike, heard, recalled, worded, measured, wished, quoted,
)  # fmt: skip


def reason(c: Candidate) -> str | None:
    """The first reason against a figure, or None."""
    for why in REASONS:
        said = why(c)
        if said is not None:
            return said
    return None
