"""Reasons why a clause before ように or ような is no figure: a report, hearsay, a purpose, how it is really done."""

from __future__ import annotations

import re

from trope.strategies.guard.japanese.candidates import Candidate
from trope.strategies.guard.japanese.kinds import being, ends_in, feels_nothing, is_one_of, is_quality
from trope.strategies.guard.japanese.morphemes import Morpheme
from trope.strategies.guard.japanese.phrases import adverbial, simple_noun
from trope.strategies.guard.japanese.topics import has_subject
from trope.strategies.guard.lexicon import words


def no_likeness(c: Candidate) -> str | None:
    """The reason against a clause, or None. A saying, かのように and まるで leave little doubt."""
    clause = c.clause
    if clause is None or c.saying or c.marker.sort == "alike":
        return None
    last = c.sentence.morphemes[(c.sentence.ending(c.marker.start) or 1)]
    if c.marker.sort == "as_if" or c.emphatic:
        return _supposed(c, last)
    if c.marker.place == "predicate":
        return _hearsay(c, last)
    if _person_did(c) and not _colloquial(c):
        return "somebody did it"
    if _out_of_a_story(c):
        return "as one knows it from a story"
    if last.surface == "な" and c.marker.place == "adverb":  # `猫が好きなように`
        return "how somebody likes it"
    return _done(c) if last.base in ("た", "だ") and last.kind == "助動詞" else _doing(c, last)


def _supposed(c: Candidate, last: Morpheme) -> str | None:
    assert c.clause is not None
    if c.clause.verb.normal == "無い" or c.clause.verb.base in ("だ", "です", "である"):
        return "a state, not a thing"
    if last.base in ("た", "だ") and _links(c):
        return "a guess at what it was"
    return None


def _links(c: Candidate) -> bool:
    """`病院だったかのように`: no verb at all."""
    assert c.clause is not None
    last = c.sentence.ending(c.marker.start) or 0
    return c.sentence.morphemes[last - 1].base == "だ" and c.sentence.morphemes[last - 1].kind == "助動詞"


def _colloquial(c: Candidate) -> bool:
    return c.sentence.text.startswith("みた", c.marker.start)


def _even(c: Candidate) -> bool:
    """`卵でも抱くように`: でも of what is not so; not `夜でも目立つように`."""
    assert c.clause is not None
    return any(case == "でも" and not adverbial(noun) for case, noun in c.clause.arguments)


def _hearsay(c: Candidate, last: Morpheme) -> str | None:
    """窓を開けたようだ; but of the sky one says `布をかぶったようだ` and means a likeness."""
    assert c.clause is not None
    listed = not c.told and last.normal not in ("居る", "有る")  # in a list of things to draw nobody guesses
    if listed and (c.marker.after == c.sentence.end or c.sentence.text[c.marker.after] == "、"):
        return None
    goes = c.clause.verb.normal.endswith(tuple(words("ja", "paths"))) or ends_in(c.topic, "machines")
    if feels_nothing(c.topic) and c.clause.argument("を", "でも") is not None and not goes:
        return None
    acting = c.clause.argument("が", "の")
    if feels_nothing(acting) and c.clause.verb.normal in words("ja", "living_deeds") and c.topic is not None:
        return None  # `あの熊は納屋が歩いてくるようだった`
    moves = acting is not None and c.clause.verb.normal in words("ja", "living_deeds")
    unlike = moves and not being(acting) and not ends_in(acting, "animals")
    if unlike and c.topic is not None and not being(c.topic) and not feels_nothing(c.topic):
        return None  # `父のいびき、トラクターが走ってるみたい`
    living = c.clause.verb.normal in words("ja", "living_deeds")
    within = c.clause.verb.normal == "居る" and c.clause.argument("に") is not None and acting is None
    if within and c.topic is not None and not being(c.topic) and not ends_in(c.topic, "animals"):
        return None  # `大阪の夏は、蒸し器の中にいるみたいだ`
    part = is_one_of(c.topic, "body_parts", "expressions") and c.clause.argument("が", "の") is not None
    alone = not being(acting) and not ends_in(acting, "animals")
    alone = alone and (acting is not None or not ends_in(c.topic, "machines"))
    if part or (living and feels_nothing(c.topic) and alone):
        return None  # `眉は毛虫が並んだようだ`, `この布団、雲の上で寝てるみたい`
    if _EXCLAIMED.search(c.sentence.quote(c.sentence.start, c.left)):
        return None
    subject = c.clause.argument("が")
    if subject is not None and c.topic is not None and _colloquial(c) and not being(subject):
        if not c.told:
            return None  # `エイがゆったり、座布団が泳いでるみたい`
        own = c.clause.verb.normal in words("ja", "animal_deeds") or being(c.topic) or ends_in(c.topic, "animals")
        if ends_in(subject, "animals") and subject.span != c.topic.span and not own:
            return None  # `あの人の字、みみずがフラダンスしてるみたい`
    return "hearsay or a guess"


_EXCLAIMED = re.compile(r"(?:といったら|ときたら)、?[^、]*$")


def _person_did(c: Candidate) -> bool:
    """彼が言ったように, 人が倒れたような跡: the one who does it is what would be drawn."""
    assert c.clause is not None
    subject = c.clause.argument("が", "の")
    if subject is None or subject.span != c.noun.span:
        return False
    return (
        subject.head.kind == "代名詞"
        or subject.head.sort.startswith("固有名詞-人名")
        or is_one_of(subject, "beings", "roles")
    )


def _out_of_a_story(c: Candidate) -> bool:
    """`絵本に出てくるような家`, `夢で見たような景色`."""
    assert c.clause is not None
    source = c.clause.argument("に", "から", "で")
    return is_one_of(source, "stories") and c.clause.verb.normal in (
        "出る",
        "見る",
        "抜け出す",
        "抜け出る",
        "読む",
        "登場",
    )


def _done(c: Candidate) -> str | None:
    """A clause in the past: a likeness, unless it reports or somebody saw it so."""
    assert c.clause is not None
    verb, number = c.clause.verb, c.sentence.starting(c.clause.verb.start)
    said = {verb.normal, verb.base} if verb.normal != "為る" else {c.sentence.morphemes[number - 1].normal}
    if not said.isdisjoint(words("ja", "reporting")) and not (
        verb.normal == "成る" and "でも" in c.sentence.quote(c.left, c.marker.start)
    ):
        looks = c.near is not None and is_one_of(c.near, "faces")
        return None if looks else "a report"
    if c.near is not None and is_one_of(c.near, "evidence"):
        return "what really happened"
    if c.marker.place == "adverb" and c.following and c.following[0].normal in words("ja", "seems"):
        return _seeming(c)
    return None


def _seeming(c: Candidate) -> str | None:
    """`観覧車は光の輪を回しているように見える`: of a thing that cannot do it."""
    assert c.clause is not None
    thing = c.topic is not None and not being(c.topic) and not is_one_of(c.topic, "there")
    return None if thing and c.clause.argument("を") is not None and not _even(c) else "a guess"


def _doing(c: Candidate, last: Morpheme) -> str | None:
    """A clause in the present: a purpose or a command, unless nobody would want it or it is another's deed."""
    assert c.clause is not None
    if c.marker.place == "noun":
        return _of_what(c, last)
    if c.following and c.following[0].normal in words("ja", "seems"):
        return _seeming(c)
    if c.following and c.following[0].normal in ("描く", "撮る", "写す"):  # `犬が吠えるように描く`
        return "how it is to be painted"
    if _colloquial(c):
        n = c.sentence.ending(c.marker.start) or 0
        helps = n > 0 and c.sentence.morphemes[n - 1].sort == "接続助詞"  # `生きている|みたいに`
        return "a guess" if last.normal in ("居る", "有る") and not helps else None
    first = next((m for m in c.following if m.kind in ("動詞", "名詞", "形状詞", "形容詞")), None)
    if first is None or (first.normal in ("為る", "成る") and not _made_so(c)):
        return "a purpose or a change"
    if _asked(c) or c.rest.startswith("と"):
        return "a purpose or a command"
    if last.normal in ("ない", "ぬ") or last.base in ("ない", "ぬ", "られる", "できる") or last.normal == "出来る":
        return "a purpose"
    if (
        last.kind == "動詞"
        and last.normal != last.base
        and _POTENTIAL.search(last.base)
        and not _POTENTIAL.search(last.normal)
    ):
        return "a purpose"
    if last.normal in words("ja", "perceived"):
        return "a purpose"
    after = c.following
    both = len(after) > 1 and is_quality(after[1])  # `釘を打つように短く正確だ`
    says = both or after[0].kind == "形状詞" or after[0].form[:3] in ("終止形", "連体形")
    if says and is_quality(after[0]) and not (len(after) > 1 and after[1].nominal):  # `鈴を振るように明るい`
        return None
    return None if _even(c) and not being(c.noun) else _manner(c, last)


def _of_what(c: Candidate, last: Morpheme) -> str | None:
    """A clause in the present before a noun: what it is for, unless one feels, hears or sees it so."""
    assert c.clause is not None
    if last.kind == "形容詞":  # `冬でも暖かいような部屋`
        return "how it is"
    lies = last.normal == "居る" and ends_in(c.near, "natural") and not is_one_of(c.near, "sensations")
    if (_even(c) and not being(c.noun)) or lies or (_colloquial(c) and not is_one_of(c.noun, "beings")):
        return None  # `巨人が寝そべっているような山並み`
    if c.near is None:
        return "what it is for"
    forced = last.base in ("れる", "られる") and c.clause.argument("で", "に") is not None
    felt = is_one_of(c.near, "sensations", "faces") or _MEASURE.search(c.near.words) is not None
    if not felt and not forced:
        return "what it is for"
    heard = _HEARD.match(c.sentence.text, c.near.span[1]) is not None
    lasting = last.base in ("いる", "てる", "でる") or ends_in(c.noun, "animals")
    whose = c.clause.argument("の") is not None or "が" in c.sentence.quote(c.clause.start, c.marker.start)
    return "what is heard" if heard and lasting and whose else None


def _asked(c: Candidate) -> bool:
    """`窓を閉めるように|母に頼まれた`: only whom, and then a verb of asking."""
    for m in c.following:
        if (
            m.kind in ("動詞", "名詞")
            and not words("ja", "asks").isdisjoint((m.normal, m.base))
            and m.normal not in ("為る", "成る")
        ):
            return True
        if (
            m.particle("を", "ずつ", "だけ")
            or m.kind in ("副詞", "形容詞", "形状詞")
            or (m.kind == "動詞" and m.form[:3] != "連用形")
        ):
            return False
    return False


def _made_so(c: Candidate) -> bool:
    """`こねるようにして`."""
    return c.rest.startswith(("して", "し、")) and c.told


def _manner(c: Candidate, last: Morpheme) -> str | None:
    """What is really done in this way (庭を囲むように並ぶ) and what is likened (宝石を扱うように)."""
    assert c.clause is not None
    noun, verb = c.noun, c.clause.verb
    named_before = _object_before(c)
    passive = last.base in ("れる", "られる")
    case = next((case for case, other in c.clause.arguments if other.span == noun.span), "")
    if passive:
        return None if case in ("に", "で", "から") and not being(noun) else "a purpose"
    if case in ("が", "の"):
        other = c.topic is not None and not being(c.topic) and not is_one_of(noun, "beings")
        if (being(noun) and not other) or (verb.normal in words("ja", "comes") and case == "が"):
            return "a purpose"
        acts = any(m.particle("を") for m in c.following) and not _bodily_object(c)
        acts = acts or any(m.normal in words("ja", "makes") for m in c.following)
        return None if ends_in(noun, "animals") or _another_subject(c) or not acts else "a purpose"
    if named_before and case == "を" and not verb.base.startswith(tuple(words("ja", "placing_verbs"))):
        return None
    of_things = "placing_verbs" if feels_nothing(c.topic) else "literal_verbs"
    if case == "に" or verb.base.startswith(tuple(words("ja", of_things))) or bodily(c) or _bodily_object(c):
        return "the way it is done"
    subject = c.clause.argument("が")
    if subject is not None and (being(subject) or c.topic is None) and not ends_in(subject, "animals"):
        return "what somebody shall do"
    if subject is not None:
        return None  # `牡蠣が殻を閉ざすように`
    if feels_nothing(c.topic):
        return None
    own = "を" in c.rest or "を" in c.sentence.quote(c.sentence.start, c.left)
    moves = any(m.normal in words("ja", "moves") for m in c.following)
    return None if own or moves else "the way it is done"


def _bodily_object(c: Candidate) -> bool:
    """`本を拾うように|身をかがめた`."""
    n = next((n for n, m in enumerate(c.following) if m.particle("を")), 0)
    return n > 0 and c.following[n - 1].surface in words("ja", "own_body")


def _another_subject(c: Candidate) -> bool:
    """`枯れ葉が舞うように、蝶が`: something else does it."""
    start = c.sentence.starting(c.marker.after)
    for n in range(start, len(c.sentence.morphemes)):
        if c.sentence.morphemes[n].particle("が", "は") and has_subject(c.sentence, n, n + 1):
            return not being(simple_noun(c.sentence, n - 1)) or c.sentence.text[c.marker.after - 1] == "、"
    return feels_nothing(c.topic) or (c.topic is not None and c.topic.words.endswith(("たち", "群れ", "達")))


def _object_before(c: Candidate) -> bool:
    """`手紙を、死んだ小鳥を葬るように`: what it is done to has been named."""
    n = c.sentence.starting(c.left)
    before, comma = c.sentence.at(n - 2), c.sentence.at(n - 1)
    return before is not None and before.particle("を") and comma is not None and comma.surface == "、"


def bodily(c: Candidate) -> bool:
    """Whether the noun is of the body or the place of what is done."""
    literal = words("ja", "literal_objects")
    return (
        c.noun.words in literal or c.noun.name in literal or c.noun.words.endswith(("足", "手", "腕", "指", "首", "膝"))
    )


_POTENTIAL = re.compile(r"[えけせてねへめれげべ]る$")
_MEASURE = re.compile(r".さ$|心地$|触り$|[音声痛感臭]$")
_HEARD = re.compile(r"が(?:する|した|して|聞こえ)")
