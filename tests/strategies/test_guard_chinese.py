"""Chinese rules: every construction that compares, every reason that speaks against a figure, and both scripts."""

from __future__ import annotations

import time

import pytest

from trope.strategies.guard import RENDERERS, plan_by_rules
from trope.strategies.guard.chinese import guesses, literal, orders, resemblances
from trope.strategies.guard.chinese.script import like, read
from trope.strategies.guard.lexicon import lists, qualities, words

# A construction of the language each; the vehicle is any thing, none of them is listed anywhere.
FOUND = {
    "云压得很低，像一口倒扣的铁锅。": "铁锅",
    "她唱起歌来，嗓子亮得跟铜锣似的。": "铜锣",
    "极光在天上飘，像谁抖开的纱巾。": "纱巾",
    "雨点噼里啪啦，像有人往屋顶上撒豆子。": "豆子",
    "面色红润如婴儿，道袍，云雾，水墨": "婴儿",
    "战马奔腾，蹄声如雨点般密集": "雨点",
    "他的胳膊上青筋暴起，好似盘着几条蚯蚓。": "蚯蚓",
    "那笑声使人想起生锈的铰链。": "铰链",
    "这条河比蚊香还弯。": "蚊香",
    "小区门口的保安大叔，嗓门赛过喇叭。": "喇叭",
    "雾像纱笼罩着村庄": "纱",
    "热气球像五颜六色的糖果散落在清晨的天空中。": "糖果",
    "关门那一声，空得像敲饼干盒。": "饼干盒",
    "天边滚过几声闷雷，好像谁在楼上拖柜子。": "柜子",
    "春笋齐刷刷的，像是地底下有支军队要出操。": "军队",
    "鬃毛乱飞，像有人在风里撕碎了整卷胶片。": "胶片",
    "老周黄鼠狼也似的从人缝里钻了出去。": "黄鼠狼",
    "他把冻得像胡萝卜的手指塞进袖子里。": "胡萝卜",
    "汽车像乌龟爬一样挪过收费站。": "乌龟",
    "烟花像菊花般在港口上空绽放，岸边挤满了游客。": "菊花",
    "男孩，眼神如狼，银灰短发": "狼",
    "冰雹砸在铁皮屋顶上，跟敲鼓一样。": "敲鼓",
    "他整个人像被钉在了墙上，动弹不得。": "墙",
    "四下静得仿佛整个村庄被封进了罐头。": "罐头",
    "老旧的柜子吱呀一声，仿佛有个巨人在磨牙。": "巨人",
    "那阵势不亚于楼上有人在拖衣柜。": "衣柜",
    "那道伤疤像极了谁的掌纹。": "掌纹",
    "消息野火一样烧遍了整个村子。": "野火",
    "花岗岩般的面孔，逆光，特写": "花岗岩",
    "冬日湖岸，鸡爪样的枯枝伸向灰白天空": "鸡爪",
    "他一如那些被潮水遗忘的瓶子，躺了整整一个下午。": "瓶子",
    "月亮象一面镜子，挂在天上。": "镜子",
    "弯弯的月亮好像小船。": "小船",
    "一个胖得像猪的男人和一只狗": "猪",
    "他的沉默与一只放了气的皮球无异。": "皮球",
    "你怎么像只落汤鸡？": "落汤鸡",
    "他今天怎么跟个闷葫芦似的？": "闷葫芦",
}


@pytest.mark.parametrize(("text", "vehicle"), list(FOUND.items()))
def test_any_comparison_is_a_figure_whatever_its_vehicle(text: str, vehicle: str) -> None:
    plan = plan_by_rules(text, "zh")
    assert [plan.quote(figure.vehicle) for figure in plan.unseen] == [vehicle]


REASONED = {
    "面包捏成小刺猬，做得像一只真刺猬，烤盘俯拍": literal.POINTED,
    "生日蛋糕做得像一只趴着睡觉的柴犬": orders.DESIGN,
    "孩子戴着像狮子一样的面具": orders.DESIGN,
    "画面像老照片一样泛黄": orders.STYLE,
    "枯叶蝶合拢翅膀，酷似一片枯叶，伪装，微距摄影": orders.DISGUISE,
    "一只像狐狸的猫坐在屋顶上": orders.DESIGN,
    "这块石头长得很像一只蹲着的青蛙": resemblances.KIND,
    "儿子的眼睛像妈妈": resemblances.KIN,
    "有着像鹿一样的角的少女": orders.DESIGN,
    "长着像蝙蝠一样翅膀的恶魔": orders.DESIGN,
    "怎么像一个专家那样思考？": literal.ROLE,
    "做一个像苹果官网一样的网页": orders.DESIGN,
    "云南的野生菌种类很多，像牛肝菌、鸡枞、松茸": literal.LIST,
    "像北京这样的城市，夜景": literal.LIST,
    "你的眼睛不像星星": literal.DENIED,
    "网上说这里的沙子像面粉一样细，其实根本不像": literal.DENIED,
    "老李像往常一样拉开卷帘门": literal.POINTED,
    "这只老鼠跟猫一样大": literal.DEGREE,
    "学生们像老师一样坐在讲台前": literal.ROLE,
    "楼上好像有人在拉小提琴，我们停下来听。": guesses.GUESS,
    "远处有个东西像船灯似的一闪一闪，走近了才看清，真是一艘渔船。": guesses.REAL,
}


@pytest.mark.parametrize(("text", "reason"), list(REASONED.items()))
def test_what_is_no_figure_stays_and_says_why(text: str, reason: str) -> None:
    plan = plan_by_rules(text, "zh")
    assert [figure.why for figure in plan.figures] == [reason] and plan.abstains
    assert RENDERERS["rewrite"](plan) == text


PLAIN = """
栩栩如生的木雕鲤鱼，特写 | 如诗如画的江南水乡，水墨 | 四季如春的昆明，花市 | 繁花似锦的公园 | 心急如焚的家属 | 电影般的质感，胶片颗粒
史诗般的场景，广角 | 宛如仙境的山谷 | 精致如艺术品的蛋糕 | 如火如荼的施工现场 | 女排决赛赛点，体育新闻摄影 | 这家面馆味道一般 | 他把零件一样一样摆好
两座塔一般高，东塔七层 | 男性一般要戴帽子 | 三只柴犬并排坐着，表情一样严肃 | 我好像把钥匙忘在车上了 | 像素风战场，俯视角 | 复古人像摄影，红唇
摄像头拍下了车牌 | 一尊秦始皇陵跪射俑，像前立着说明牌 | 若干志愿者在河边捡垃圾 | 列车如期抵达 | 如同意以上条款，请签名 | 有如下几个特点
与孔令志一样，他也退休了 | 正如天气预报所说，傍晚起了大风 | 这里的冬天和哈尔滨一样冷 | 他比我还高半个头 | 医生说孩子的症状很像水痘 | 老虎像猫一样属于猫科动物
"""


@pytest.mark.parametrize("text", [part.strip() for line in PLAIN.strip().splitlines() for part in line.split(" | ")])
def test_the_markers_in_their_ordinary_uses_change_nothing(text: str) -> None:
    plan = plan_by_rules(text, "zh")
    assert plan.abstains and RENDERERS["instruct"](plan) == text


WITHOUT = {
    "屋檐的水线细得跟琴弦似的，一根一根绷着。": "屋檐的水线很细，一根一根绷着。",
    "森林精灵少女，翅膀薄得像两幅刚裁下来的纱，赤足踏水": "森林精灵少女，翅膀很薄，赤足踏水",
    "奶泡细腻如丝绒，焦糖淋面，产品特写": "奶泡细腻，焦糖淋面，产品特写",
    "身后扬起的雪雾好像拖着一袭长长的婚纱，高速快门，冷调": "身后扬起的雪雾，高速快门，冷调",
    "长发湿漉漉地垂到腰间，宛如一匹浸了水的绸子，低饱和冷绿": "长发湿漉漉地垂到腰间，低饱和冷绿",
    "豆腐脑颤巍巍的，像小孩的腮帮子，舍不得下勺。": "豆腐脑颤巍巍的，舍不得下勺。",
    "餅皮一抖開就像浪花一樣層層疊疊，值得。": "餅皮一抖開就層層疊疊，值得。",
    "少女有一双小鹿般的眼睛，发梢沾着雨": "少女有一双眼睛，发梢沾着雨",
    "胖得像猪的男人坐在沙发上": "很胖的男人坐在沙发上",
    "一个脸红得像苹果的女孩站在雪地里": "一个脸很红的女孩站在雪地里",
    "一个胖得像猪的男人和一只狗": "一个很胖的男人和一只狗",
    "美得像画的姑娘走过桥": "很美的姑娘走过桥",
    "白得像雪的马在草原上奔跑": "很白的马在草原上奔跑",
    "眼睛像星星的女孩": "眼睛闪亮的女孩",
    "那个胖得像猪的男人坐在沙发上": "那个很胖的男人坐在沙发上",
    "皮肤白得像雪的公主": "皮肤很白的公主",
    "天空红得像火的傍晚": "天空很红的傍晚",
    "人群像潮水涌向广场": "人群涌向广场",
    "月亮如银盘般挂在夜空中。": "月亮挂在夜空中。",
    "月亮如镜。": "月亮显得明亮。",
    "月亮如同一面镜子挂在夜空。": "月亮挂在夜空。",
    "月亮如钩，挂在树梢。": "月亮挂在树梢。",
    "她像一只小猫蜷缩在沙发上。": "她蜷缩在沙发上。",
    "塔楼像一根手指指向天空": "塔楼指向天空",
    "烟雾像蛇缠绕着柱子。": "烟雾缠绕着柱子。",
    "他如猛虎下山，冲入敌阵。": "他冲入敌阵。",
    "女孩笑靥如花，站在花海里": "女孩笑靥如花，站在花海里",
    "皇帝的宝座如同太阳一般耀眼": "皇帝的宝座耀眼",
    "他笑得像一朵花。": "他笑得像一朵花。",
    "湖面，像一面镜子。": "湖面，像一面镜子。",
    "風把衣服鼓得像一面帆。": "風把衣服鼓得像一面帆。",
}


@pytest.mark.parametrize(("text", "expected"), list(WITHOUT.items()))
def test_a_rewrite_leaves_a_sentence_that_stands(text: str, expected: str) -> None:
    assert RENDERERS["rewrite"](plan_by_rules(text, "zh")) == expected


FITTING = {
    # What the text itself says of the vehicle is the surest quality.
    "山路像一条灰色的带子，绕过三座村庄。": "山路呈灰色，绕过三座村庄。",
    "特写，狼的眼睛像两团绿色的火焰，暗黑森林": "特写，狼的眼睛呈绿色，暗黑森林",
    "小路像一条弯弯曲曲的绳子，通到河边。": "小路弯弯曲曲的，通到河边。",
    "火车像一条绿色的长龙驶过田野。": "火车呈绿色，驶过田野。",
    # Those of the lexicon stay where they fit the tenor and the thing is as it always is.
    "冬天的湖像一块巨大的蓝宝石，嵌在雪原中间。": "冬天的湖显得湛蓝而晶莹，嵌在雪原中间。",
    "你的眼睛像大海。": "你的眼睛显得湛蓝。",
    "巨浪如山，渔船起伏。": "巨浪显得高大，渔船起伏。",
    "1girl, 长发如瀑, 眼眸像星辰, 汉服": "1girl, 长发绵长柔顺, 眼眸闪亮璀璨, 汉服",
    "老街的燈籠如同一串柿子，掛在廟口。": "老街的燈籠顯得渾圓而橙紅，掛在廟口。",
    "小溪如同一條蛇，從廟口流到港邊。": "小溪顯得細長而彎曲，從廟口流到港邊。",
    "月亮像一瓣橘子，挂在树梢。": "月亮挂在树梢。",
    "他像一只泄了气的皮球，蔫在椅子上。": "他像一只泄了气的皮球，蔫在椅子上。",
    "那辆旧公交像一头老牛，喘着气爬坡。": "那辆旧公交喘着气爬坡。",
    "靴面的泥壳裂得像放久了的面包。": "靴面的泥壳裂得像放久了的面包。",
    "火焰似的枫叶铺满了整条山路。": "火红的枫叶铺满了整条山路。",
    "一个像铁塔一样的壮汉堵住了门口。": "一个高大的壮汉堵住了门口。",
}
STANDING = {
    # An adjective that ends a sentence has its degree; what more the marker's adverbs say stays.
    "爷爷的手粗糙得像老榆树皮。": "爷爷的手很粗糙。",
    "他的心像被针扎了一样疼。": "他的心很疼。",
    "她的笑声却像银铃一般清脆。": "她的笑声却很清脆。",
    "“你的手怎么像冰块一样凉？”她问。": "“你的手怎么这么凉？”她问。",
    "草原的夜真黑，黑得跟掉进炭窑一样。": "草原的夜真黑。",
    # No word is cut in two.
    "像呼吸一样自然的贴合，轻薄如羽的运动内衣。": "自然的贴合，轻薄的运动内衣。",
    "刚出炉的饼干硬得像鹅卵石。": "刚出炉的饼干很硬。",
    "快艇像一把剪刀剪开了海面。": "快艇剪开了海面。",
    "一对发面饼一样的肿耳朵，汗珠": "一对肿耳朵，汗珠",
    "机械巨像半跪在沙海中，夕阳": "机械巨像半跪在沙海中，夕阳",
    # Whose it is comes after it.
    "她穿着一件红得像火的斗篷，骑着一匹白得像雪的马。": "她穿着一件很红的斗篷，骑着一匹很白的马。",
    "窗外下着大得像鹅毛的雪。": "窗外下着很大的雪。",
    "新娘美得如同仙女下凡。": "新娘很美。",
    # What goes on must be said of the tenor.
    "他的沉默犹如一堵墙，把所有的问题都挡了回去。": "他的沉默把所有的问题都挡了回去。",
    "他好像一只猫，轻手轻脚地走进来。": "他轻手轻脚地走进来。",
    "妈妈的唠叨像一张老唱片，我闭着眼睛都能接下一句。": "妈妈的唠叨像一张老唱片，我闭着眼睛都能接下一句。",
    "会议室里的空气如同水泥，没有人敢开口。": "会议室里的空气如同水泥，没有人敢开口。",
    "他面如土色，坐在那里发抖。": "他面如土色，坐在那里发抖。",
    # A subject right before the thing is no part of it.
    "刺客猫一般地跃上屋顶，瓦片没有一点声响": "刺客跃上屋顶，瓦片没有一点声响",
    "一个消防员风一般地冲进火场。": "一个消防员冲进火场。",
    "草原狼一般地扑向羊群。": "草原狼一般地扑向羊群。",
    # A question why somebody is so needs what he is like.
    "你的手怎么像冰块？": "你的手怎么像冰块？",
    "你怎么像个木头人一样站着？": "你怎么站着？",
}


@pytest.mark.parametrize(("text", "expected"), [*FITTING.items(), *STANDING.items()])
def test_a_rewrite_says_what_the_text_says_without_the_vehicle(text: str, expected: str) -> None:
    assert RENDERERS["rewrite"](plan_by_rules(text, "zh")) == expected


def test_every_quality_is_of_a_kind_that_something_can_have() -> None:
    kinds = {word for name in lists("zh") if name.startswith("quality_") for word in words("zh", name)}
    asked = {kind for name in lists("zh") if name.startswith("fits_") for kind in words("zh", name)}
    assert {word for known in qualities("zh").values() for word in known} <= kinds
    assert {f"quality_{kind}" for kind in asked} == {name for name in lists("zh") if name.startswith("quality_")}


TENORS = {
    "皮肤白得像雪，嘴唇红得像樱桃": ["皮肤", "嘴唇"],
    "火焰似的枫叶铺满了山路": ["枫叶"],
    "一个像狐狸一样狡猾的商人站在柜台后面": ["商人"],
    "教室后排的他像木偶一样点着头": ["教室后排的他"],
    "热浪让地平线像果冻似的发颤": ["地平线"],
    "剑身薄如蝉翼，握柄缠着蓝布": ["剑身"],
    "小偷猫一般地溜进厨房。": ["小偷"],
    "我哥犟得像头牛。": ["我哥"],
    "他气得像一头发怒的公牛。": ["他"],
    "这孩子跑起来像一阵风。": ["这孩子"],
    "她唱起歌来像百灵鸟。": ["她"],
    "你怎么像只落汤鸡？": ["你"],
}


@pytest.mark.parametrize(("text", "tenors"), list(TENORS.items()))
def test_the_tenor_is_the_noun_that_is_likened(text: str, tenors: list[str]) -> None:
    plan = plan_by_rules(text, "zh")
    assert [plan.quote(figure.tenor) for figure in plan.unseen] == tenors


PHRASES = {
    "他的脸红得像个气球。": "气球",
    "他被骂得抬不起头，像只被雨淋透的鹌鹑。": "被雨淋透的鹌鹑",
    "他像一只淋湿的猫。": "一只淋湿的猫",
    "她的长发像头纱一样垂下。": "头纱",
}


@pytest.mark.parametrize(("text", "phrase"), list(PHRASES.items()))
def test_a_phrase_begins_with_its_number_and_not_with_a_bare_classifier(text: str, phrase: str) -> None:
    plan = plan_by_rules(text, "zh")
    assert [plan.quote(figure.phrase) for figure in plan.unseen] == [phrase]


PAIRS = [
    ("老榕树下的鬼影细细长长，宛如一缕被风扯歪的炊烟", "老榕樹下的鬼影細細長長，宛如一縷被風扯歪的炊煙"),
    ("雾从山谷里漫上来，稠得仿佛有人熬着一锅米浆。", "霧從山谷裡漫上來，稠得彷彿有人熬著一鍋米漿。"),
    ("黑猫弓起背，尾巴炸得像试管刷", "黑貓弓起背，尾巴炸得像試管刷"),
    ("双胞胎兄弟像得连老师都分不清", "雙胞胎兄弟像得連老師都分不清"),
    ("外公跟平常一样坐在骑楼下看报", "外公跟平常一樣坐在騎樓下看報"),
]


@pytest.mark.parametrize(("simplified", "traditional"), PAIRS)
def test_both_scripts_are_read_alike_and_every_span_stays(simplified: str, traditional: str) -> None:
    assert read(traditional) == read(simplified) == simplified and len(traditional) == len(simplified)
    one, other = (plan_by_rules(text, "zh").figures for text in (simplified, traditional))
    assert [(f.vehicle, f.phrase, f.whole, f.seen) for f in one] == [
        (f.vehicle, f.phrase, f.whole, f.seen) for f in other
    ]


def test_qualities_come_in_the_script_of_the_text_and_titles_are_no_text() -> None:
    assert like("洁白", "這件襯衫") == "潔白" and like("洁白", "衬衫") == "洁白"
    assert (
        RENDERERS["rewrite"](plan_by_rules("這件襯衫像雪一樣，大家都喜歡。", "zh")) == "這件襯衫顯得潔白，大家都喜歡。"
    )
    assert plan_by_rules("电影《像鸡毛一样飞》的海报贴在墙上", "zh").abstains


@pytest.mark.parametrize(
    "piece", ["如雪一样", "好像有人在", "比猫还白", "把了着像", "一只一只像", "似的，", "跟猫一样", "像", "如"]
)
def test_time_grows_with_a_chinese_text_and_not_faster(piece: str) -> None:
    plan_by_rules(piece, "zh")
    start = time.process_time()
    RENDERERS["rewrite"](plan_by_rules((piece * 50_000)[:50_000], "zh"))
    assert time.process_time() - start < 12  # about 3 s here; a quadratic rule takes minutes
