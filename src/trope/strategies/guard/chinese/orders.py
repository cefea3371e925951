"""Reasons that lie in an order: a Chinese vehicle is the design, the style, the dress, the part that is wanted."""

from __future__ import annotations

import re
from functools import cache

from trope.strategies.guard.chinese.candidates import Candidate, counted_before, is_somebody
from trope.strategies.guard.chinese.lists import ends, has
from trope.strategies.guard.chinese.resemblances import alike
from trope.strategies.guard.lexicon import either

DESIGN = "a design request: both things are meant to be seen"
STYLE = "a style or a medium: the picture is to look like that"
DISGUISE = "a disguise or an imitation: the likeness is meant to be seen"

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


def _of_somebody(c: Candidate) -> bool:
    """``把我拍得像根电线杆``: a photograph of somebody, and nobody's wish."""
    return _OF_SOMEBODY.search(c.tenor) is not None and not has("media", c.phrase)


def ordered(c: Candidate) -> str | None:
    """``做得像一本书``, ``样子要像甜甜圈``, ``造型像船``: made so, to be recognized."""
    tenor = c.tenor
    if _TAKEN.search(tenor) and has("media", c.phrase):
        return STYLE
    if _of_somebody(c):
        return None
    if c.opening or has("designs", tenor) or has("designs", c.phrase + c.tail):
        return DESIGN
    wraps = _DRESSES.search(tenor) and c.counted and not (is_somebody(c.noun) or ends("animals").search(c.noun))
    if _makes().search(tenor) and not _GROWS.search(tenor) and not wraps:
        return DESIGN if not tenor.endswith("长得") or alike(c) else None
    if (
        _MODELED.search(c.sentence_later)
        or _SNOWMAN.search(tenor)
        or _MAKES_OUT.search(tenor)
        or _IS_TO.search(tenor)
        or _DRAWN_ON.search(tenor)
    ):
        return DESIGN
    if c.marker.word in _IN_SHAPE and (
        _CREATURE.search(c.told + tenor) or _made_things().search(c.told) or _STATUE.search(c.told)
    ):
        return DESIGN
    shadow = tenor.endswith("影子") and not c.closed and "手" in c.told + c.later
    return DESIGN if shadow else None


def held(c: Candidate) -> str | None:
    """``戴着像狮子一样的面具``, ``摆着像水果的肥皂``, ``用积木搭出的像城堡一样的建筑``: made, and worn or shown."""
    tenor, tail = c.tenor, c.tail
    if _WEARS.search(tenor) and made_heads().match(tail):
        return DESIGN
    if _HAS.search(tenor) and _BEASTS.search(c.phrase) and _PARTS.match(tail):
        return DESIGN
    inside = c.marker.kind == "plain" and c.of and not c.closed
    shown = _PUT_TOGETHER.search(tenor) or _ON_SHOW.search(tenor)
    return DESIGN if shown and (tail.startswith("的") or inside) else None


def attributive(c: Candidate) -> str | None:
    """``一只像狐狸的猫``, ``一个像火箭一样的滑梯``, ``像梵高那样的笔触``: the thing that is so, and made so."""
    tail = c.tail
    if not tail.startswith("的") or len(tail) < 2:
        return None
    if style_heads().match(tail):
        return STYLE
    if counted_before(c.text, c.start, c.marker.start):
        told = not made_heads().match(tail) and (c.closed or _sensed().search(tail) is not None)
        return None if told else DESIGN
    if not c.tenor and not c.told and c.marker.kind == "plain" and made_heads().match(tail):
        return DESIGN
    return DESIGN if requests().match(c.tenor) and not c.degree else None


_PICTURE_IS = r"(?:要|得|很|更|整体|上|看起来)?$"
_STYLES = re.compile(r"风格|画风|笔触|构图|色调|画法|画质|影调")
_TO_BE_TAKEN = re.compile(r"[拍调修冲印]得$|把[^，]{1,6}(?:拍|调|修)[成得]$")


@cache
def _pictures() -> re.Pattern[str]:
    return re.compile(rf"(?:{either('zh', 'pictures')}){_PICTURE_IS}")


def styled(c: Candidate) -> str | None:
    """``画面像老照片一样泛黄``: the picture itself is to look like that."""
    if _pictures().search(c.tenor):
        return STYLE
    if _of_somebody(c):
        return None
    medium = ends("media").search(c.noun) and not (c.counted or c.clause or c.degree)
    if medium and not c.tenor.strip():
        return STYLE
    return STYLE if _STYLES.search(c.phrase) or _TO_BE_TAKEN.search(c.tenor) else None


_TOLD_TO = re.compile(
    r"(?:让|叫|请|教(?![室师授练堂育科]))[^，]{0,4}(?:学生|孩子|同学|小朋友|大家|队员|演员|模特|[他她])们?$"
)
_LIKE_MAN = re.compile(r"[^，]{0,12}像人(?:类)?一样")


def disguised(c: Candidate) -> str | None:
    """``学着师傅那样``, ``伪装，酷似枯叶``, ``老师让学生像青蛙一样跳``, ``机器人像人一样走路``."""
    before = c.text[max(0, c.start - 14) : c.marker.start]
    after = c.text[c.marker.bound : c.end + 8]
    near = has("disguises", before + after) or has("camouflage", c.told + c.sentence_later)
    if near or _TOLD_TO.search(c.tenor) or re.match("地?表演", c.tail):
        return DISGUISE
    return DISGUISE if _LIKE_MAN.match(c.text, c.start, c.end) else None
