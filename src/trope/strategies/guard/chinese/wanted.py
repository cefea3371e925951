"""Reasons why the vehicle of a Chinese comparison is to be seen: it is ordered, made, worn, imitated or of one kind."""

from __future__ import annotations

import re
from functools import cache

from trope.strategies.guard.chinese.case import Case, counted_before, is_somebody
from trope.strategies.guard.chinese.lists import begins, ends, has
from trope.strategies.guard.lexicon import either, words

DESIGN = "a design request: both things are meant to be seen"
STYLE = "a style or a medium: the picture is to look like that"
DISGUISE = "a disguise or an imitation: the likeness is meant to be seen"
KIND = "two of a kind: a real resemblance"
KIN = "a real resemblance of persons"

_IN_SHAPE = ("状如", "形如", "形似", "状若", "状似")
_OF_SOMEBODY = re.compile(r"把(?:[我你他她咱]们?|爸|妈|人)[^，]{0,3}[拍照画]得$")
_TAKEN = re.compile(r"[拍调修冲印画弄做]得?$")
_WEARS = re.compile(r"[穿戴披系背拎提吃捧拿端扛][着了]$")
_DRESSES = re.compile("穿得$")  # `穿得像个粽子` is no costume
_GROWS = re.compile(r"[看拍][^，]{0,4}长得$|生长得$|成长得$")
_PUT_TOGETHER = re.compile(r"[搭拼做堆捏雕刻折剪编造](?:出来|成|出|起)?的$")
_ON_SHOW = re.compile(r"(?:摆|卖|放|挂|戴|穿|拿|抱|背|摆放|陈列)[着了有]$")
_MAKES_OUT = re.compile(r"(?:比|做|摆|围|扎|拼|剪|画|捏|投|折|堆)(?:出|成)[^，]{0,2}$|成$")
_STATUE = re.compile("[石雕铜木塑神佛泥]像")
_MODELED = re.compile(r"[照仿按][^，]{0,8}[做造制]")
_SNOWMAN = re.compile("[雪泥面沙蜡](?:人|雕|堡)[^，]{0,2}得$")
_IS_TO = re.compile(r"(?<![快只])(?:要|需要|应该|必须|最好|尽量)(?:做得|画得)?$")
_DRAWN_ON = re.compile(r"[画刻印绣雕纹贴][着了有满]$")
# `长着像蝙蝠一样的翅膀`: a creature that is made of parts of others.
_HAS = re.compile("(?:[长生带顶有][着有了]|拥有|(?<!没)有)(?:一?[对双条只个根])?$")
_PARTS = re.compile("的?[\u4e00-\u9fff]{0,3}?(?:角|翅|羽翼|翼|尾巴?|耳朵|爪|鳞|獠牙|触手|触角|蹄|鬃毛|喙|鳍)")
_BEASTS = re.compile("[狗犬狼猫狐狸虎豹熊马驴牛羊鹿猪鸟雀鹰鸡鸭鹅鱼蛇兔鼠猴象龙虫蝶蝠蜓蜂鲨狮凤魔使角翼]$|翅膀$|恐龙$")
_CREATURE = re.compile(r"画一?[只头个匹条]|生成|设计")


@cache
def _makes() -> re.Pattern[str]:
    return re.compile(rf"(?:{either('zh', 'makes')})(?:得|成)(?:就|很|真|有点|更|再)?$")


@cache
def requests() -> re.Pattern[str]:
    """What a request begins with."""
    return re.compile(rf"\s*(?:请|帮我|给我)?(?:{either('zh', 'requests')})")


@cache
def _made_things() -> re.Pattern[str]:
    return re.compile(rf"(?:{either('zh', 'artifacts')})[，, ]*$")


@cache
def made_heads() -> re.Pattern[str]:
    """After `一只像狐狸的`: another of the kind, or a thing that is made."""
    heads = f"{either('zh', 'artifacts')}|{either('zh', 'animals')}"
    return re.compile(rf"的?[\u4e00-\u9fff]{{0,5}}?(?:{heads})(?![\u4e00-\u9fff])")


@cache
def style_heads() -> re.Pattern[str]:
    """After `像梵高那样`: a style, a medium, a look."""
    heads = either("zh", "style_heads")
    return re.compile(rf"的[\u4e00-\u9fff]{{0,3}}(?:{heads})(?![\u4e00-\u9fff])|的(?:东西|图|照片|感觉|效果)")


@cache
def _sensed() -> re.Pattern[str]:
    return re.compile(rf"(?:{either('zh', 'sensed')})(?![\u4e00-\u9fff])")


def _of_somebody(case: Case) -> bool:
    """``把我拍得像根电线杆``: a photograph of somebody, and nobody's wish."""
    return _OF_SOMEBODY.search(case.tenor) is not None and not has("media", case.phrase)


def ordered(case: Case) -> str | None:
    """``做得像一本书``, ``样子要像甜甜圈``, ``造型像船``: made so, to be recognized."""
    tenor = case.tenor
    if _TAKEN.search(tenor) and has("media", case.phrase):
        return STYLE
    if _of_somebody(case):
        return None
    if case.opening or has("designs", tenor) or has("designs", case.phrase + case.tail):
        return DESIGN
    wraps = (
        _DRESSES.search(tenor) and case.counted and not (is_somebody(case.noun) or ends("animals").search(case.noun))
    )
    if _makes().search(tenor) and not _GROWS.search(tenor) and not wraps:
        return DESIGN if not tenor.endswith("长得") or _alike(case) else None
    if (
        _MODELED.search(case.sentence_later)
        or _SNOWMAN.search(tenor)
        or _MAKES_OUT.search(tenor)
        or _IS_TO.search(tenor)
        or _DRAWN_ON.search(tenor)
    ):
        return DESIGN
    if case.marker.word in _IN_SHAPE and (
        _CREATURE.search(case.told + tenor) or _made_things().search(case.told) or _STATUE.search(case.told)
    ):
        return DESIGN
    shadow = tenor.endswith("影子") and not case.closed and "手" in case.told + case.later
    return DESIGN if shadow else None


def held(case: Case) -> str | None:
    """``戴着像狮子一样的面具``, ``摆着像水果的肥皂``, ``用积木搭出的像城堡一样的建筑``: made, and worn or shown."""
    tenor, tail = case.tenor, case.tail
    if _WEARS.search(tenor) and made_heads().match(tail):
        return DESIGN
    if _HAS.search(tenor) and _BEASTS.search(case.phrase) and _PARTS.match(tail):
        return DESIGN
    inside = case.marker.kind == "plain" and case.of and not case.closed
    shown = _PUT_TOGETHER.search(tenor) or _ON_SHOW.search(tenor)
    return DESIGN if shown and (tail.startswith("的") or inside) else None


def attributive(case: Case) -> str | None:
    """``一只像狐狸的猫``, ``一个像火箭一样的滑梯``, ``像梵高那样的笔触``: the thing that is so, and made so."""
    tail = case.tail
    if not tail.startswith("的") or len(tail) < 2:
        return None
    if style_heads().match(tail):
        return STYLE
    if counted_before(case.text, case.start, case.marker.start):
        told = not made_heads().match(tail) and (case.closed or _sensed().search(tail) is not None)
        return None if told else DESIGN
    if not case.tenor and not case.told and case.marker.kind == "plain" and made_heads().match(tail):
        return DESIGN
    return DESIGN if requests().match(case.tenor) and not case.degree else None


_PICTURE_IS = r"(?:要|得|很|更|整体|上|看起来)?$"
_STYLES = re.compile(r"风格|画风|笔触|构图|色调|画法|画质|影调")
_TO_BE_TAKEN = re.compile(r"[拍调修冲印]得$|把[^，]{1,6}(?:拍|调|修)[成得]$")


@cache
def _pictures() -> re.Pattern[str]:
    return re.compile(rf"(?:{either('zh', 'pictures')}){_PICTURE_IS}")


def styled(case: Case) -> str | None:
    """``画面像老照片一样泛黄``: the picture itself is to look like that."""
    if _pictures().search(case.tenor):
        return STYLE
    if _of_somebody(case):
        return None
    medium = ends("media").search(case.noun) and not (case.counted or case.clause or case.degree)
    if medium and not case.tenor.strip():
        return STYLE
    return STYLE if _STYLES.search(case.phrase) or _TO_BE_TAKEN.search(case.tenor) else None


_TOLD_TO = re.compile(
    r"(?:让|叫|请|教(?![室师授练堂育科]))[^，]{0,4}(?:学生|孩子|同学|小朋友|大家|队员|演员|模特|[他她])们?$"
)
_LIKE_MAN = re.compile(r"[^，]{0,12}像人(?:类)?一样")


def disguised(case: Case) -> str | None:
    """``学着师傅那样``, ``伪装，酷似枯叶``, ``老师让学生像青蛙一样跳``, ``机器人像人一样走路``."""
    before = case.text[max(0, case.start - 14) : case.marker.start]
    after = case.text[case.marker.bound : case.end + 8]
    near = has("disguises", before + after) or has("camouflage", case.told + case.sentence_later)
    if near or _TOLD_TO.search(case.tenor) or re.match("地?表演", case.tail):
        return DISGUISE
    return DISGUISE if _LIKE_MAN.match(case.text, case.start, case.end) else None


_LOOKS_LIKE = re.compile(r"长得(?:很|真|特别|非常|有点|有些)?$")
_SORT = re.compile(r"\s*[这那一]种(?![感声心味生日爱情气光])")
_BUT_MORE = re.compile(r"[，,](?:但是?|不过|只是|可是)(?:更|没那么|比)")
_OUTSIDE = re.compile(r"(?:的样子|的外形)$")


def _alike(case: Case) -> bool:
    """Whether two animals are likened, or the thing is named before as well."""
    noun, tenor = case.noun, _OUTSIDE.sub("", case.likened)
    if not noun or not tenor:
        return False
    animals = ends("animals")
    return bool(animals.search(tenor) and animals.search(noun)) or (len(noun) > 1 and noun in tenor)


def kind(case: Case) -> str | None:
    """``这只狗像狼``, ``石头长得很像一只青蛙``, ``捏的刺猬包，活像一只刺猬``: it is one, or as good as one."""
    noun, animals = case.noun, ends("animals")
    sort = _SORT.match(case.tenor) is not None and not case.counted and not case.closed
    if sort or _BUT_MORE.match(case.later):
        return KIND
    does = case.closed and case.tail.strip()  # `像菊花般绽放，岸边的游客...`
    if has("named_so", case.sentence_later) and not case.degree and not does:
        return KIND
    if _LOOKS_LIKE.search(case.tenor) and not (case.animate or case.closed or case.degree):
        return KIND
    if case.tenor.endswith("长得") and animals.search(noun) and re.search("[种类只]", case.tenor):
        return KIND
    named = noun in case.told if len(noun) > 1 else noun in words("zh", "animals") and noun in case.told + case.tenor
    if noun and named and not case.degree:
        return KIND
    moving = case.closed and animals.search(noun) and case.tail.strip()
    if _alike(case) and not case.degree and not moving:
        return KIND
    head = re.match("的([\u4e00-\u9fff]{1,5})", case.tail)
    return KIND if head and animals.search(head[1]) and animals.search(noun) else None


def related(case: Case) -> str | None:
    """``儿子的眼睛像妈妈``, ``长得神似周润发``, ``他们好像一对夫妻``."""
    noun, face = case.noun, case.marker.word in ("神似", "酷似")
    brothers = case.closed and noun.endswith(("兄弟", "姐妹")) and case.tail.strip()
    if ends("kin").search(noun) and not brothers and not case.counted and not case.degree and not case.of:
        return KIN
    if case.closed or case.degree or case.marker.kind not in ("plain", "guess", "always"):
        return None
    tenor, grown = case.likened, case.tenor.endswith("长得")
    if grown and has("persons", noun):
        return KIN
    if not case.counted and not case.clause and not case.of:
        named = begins("surnames").match(noun) is not None and 1 < len(noun) < 5
        if named and (is_somebody(tenor) or grown or face):
            return KIN
        if case.looks and is_somebody(noun):
            return KIN
    young = case.counted and noun.endswith(("孩子", "小孩", "婴儿"))
    same = noun in words("zh", "persons") and (is_somebody(tenor) or case.looks)
    return KIN if same and not young else None
