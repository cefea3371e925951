"""The Japanese rules: every marker, every reason against a figure, what a rewrite leaves; the analyzer only when needed."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from trope.strategies.guard import RENDERERS, plan_by_rules

MARKED = [
    "古い塔は[石像]のようだ。",
    "古い塔は[石像]のようでもあった。",
    "古い塔が[石像]の様に立つ。",
    "古い塔って[石像]みたい。",
    "古い塔、[石像]みたい！",
    "古い塔は、まるで[石像]だ。",
    "古い塔は、言うなれば[石像]だ。",
    "古い塔はあたかも[石像]のごとく立つ。",
    "古い塔は[石像]の如し。",
    "古い塔は[石像]さながらに立つ。",
    "古い塔は[石像]そっくりだ。",
    "古い塔は、どこか[石像]に似て、寂しい。",
    "古い塔は[石像]を彷彿とさせ、旅人を黙らせる。",
    "古い塔は[石像]かと見まがうほどだった。",
    "古い塔は[石像]と見間違うほど静かだ。",
    "古い塔は[石像]と言ってもいいほど静かだ。",
    "古い塔は[石像]も同然だ。",
    "古い塔は[石像]顔負けの迫力で立つ。",
    "古い塔は[石像]然として立つ。",
    "古い塔は[石像]じみた影を落とす。",
    "古い塔は[石像]っぽく見える。",
    "古い塔は[石像]よろしく立つ。",
    "古い塔は[石像]もかくやとばかりに立つ。",
    "古い塔は[石像]か何かのように立つ。",
    "古い塔は[石像]ででもあるかのように立つ。",
    "古い塔は[石像]にでもなったように動かない。",
    "古い塔は[石像]にたとえられる。",
    "古い塔は[石像]とでもいうべき姿だ。",
    "古い塔は[石像]のそれのような影を落とす。",
    "古い塔、まるで[石像]、月夜",
    "お前、[濡れねずみ]みたいだな",
    "古い塔が[石像]みたい、月夜",
    "じいちゃんの膝は[蝶番]のごと鳴るとよ。",
    "あの子は[鰻]みでぇにするする逃げる。",
    "月は[銀の盆]のやうに冷えてゐた。",
    "波の音は、[小豆]を揺するのにそっくりだった。",
    "砂丘の影、[刃物]で切り落としたかのような稜線",
    "黒い[インク]をこぼしたように谷を埋める兵",
    "[櫛の歯]が欠けたように空席の目立つ列車",
    "風は[命令]でも受けたかのようにやんだ。",
    "大阪の夏は、[蒸し器]の中にいるみたいだ。",
    "あのヒグマは[納屋]が歩いてくるようだったという。",
    "祖母の声は、[鈴]を振るように明るい。",
    "彼女はボタンを、[硬貨]を数えるように並べた。",
    "駱駝の影が[蟻]の行列みたいに続く、砂漠、夕方",
    "彼女の声は、深い[井戸]の底から響くかのようだ。",
    "子竜のくしゃみでは、[マッチ]ぐらいの火しか出ない。",
    "[花嫁]のように着飾った桜の木、丘の上",
    "[忍者]のように素早く走る猫",
]
# a sentence, and the words of the reason against it; None: it is not in the plan at all
AGAINST = {
    "いつものように七時に起きた。": None,
    "次のように並べてください。": "refers to a time",
    "京都のような町に住みたい。": "place of this name",
    "彼女は人形のようではなかった。": "denied",
    "氷のように冷たくなどなく、温かかった。": "denied",
    "熊のように見えたが、岩だった。": "turned out",
    "沖に船の灯のような光が見え、近づくと、やはり船の灯だった。": "turned out",
    "りんごやみかんのような果物を籠に盛る。": "examples of a kind",
    "柴犬に似た犬が寝ている。": "two of a kind",
    "彼は父親に似て、眉が太い。": "relative",
    "恐竜のような形をした滑り台、公園": "shape",
    "海賊のような格好をした園児たち": "shape",
    "浮世絵みたいな画風で、渋谷を描いて": "style",
    "雪だるまみたいなケーキ、誕生会": "product",
    "兎のように刈り込まれた庭木、朝露": "made, dressed",
    "猫のような耳をつけた帽子": "put on",
    "医者のように聴診器を持つ少年、職業体験": "part that is played",
    "外は雨のようだ。": "a guess",
    "沼で河童のようなものを見た。": "one of a kind",
    "子犬のような鳴き声が聞こえる。": "heard",
    "春めいた日差しの縁側": "word of its own",
    "姉のような看護師になりたい。": "refers to a time",
    "雲みたいに軽い、という宣伝文句は嘘だ。": "quoted",
    "転ばないように、手すりを握って下りた。": None,
    "窓を閉めるように母に頼まれた。": None,
    "彼は窓を開けたようだ。": None,
    "彼が言ったように、橋は壊れていた。": None,
    "人が倒れたような跡がある。": None,
    "月が見えるような窓辺に座る。": None,
    "庭を囲むように石が積まれている。": None,
    "富士山の見える部屋に泊まってみたい。": None,
    "まるで覚えていない。": None,
    "東京並みの家賃だという。": "place of this name",
    "世界並みの水準だ。": "degree",
    "彼は学生のようには見えなかった。": "denied",
    "猫ほどもある鯉を、漁師は足元の猫に見せた。": "as there",
    "熊みたいだったが、よく見ると大きな犬だった。": "turned out",
    "別の国のように見える通り": "another of the same",
    "刑事ドラマのように、犯人は崖に立っていた。": "from a story",
    "クリムトのような金箔の背景、抱き合う二人": "person of this name",
    "山田さんみたいに左利きの人のためのはさみ": "person of this name",
    "IKEAのような部屋、白い棚": "a studio of this name",
    "サンタみたいに赤い服と白いひげを着けた校長": "dressed",
    "うさぎのように切ったりんご、弁当": "made as it",
    "うさぎのように耳のついたフードのパジャマ、子ども用": "put on",
    "貝殻を模したような洗面台": "made after it",
    "鹿のような角を持つ少女": "to have this part",
    "コウモリのような翼の悪魔": "to have this part",
    "狐のような尻尾の女の子": "to have this part",
    "天使のような羽を持つ猫": "to have this part",
    "猫のような犬のような不思議な生き物": "to have this look",
    "ぬいぐるみのような犬": "to have this look",
    "猫が好きなように歩く": None,
    "犬が吠えるように描く": None,
    "市松模様みたいな床、玄関": "pattern",
    "本のような見た目の小物入れ": "shape",
    "ひな祭りのような季節の行事を描いたカレンダー": "of a kind",
    "マンタのようなエイの仲間が泳ぐ。": "two of a kind",
    "病院みたいな白い廊下、研究所": "two of a kind",
    "体操選手のようにまっすぐ立ってください。": "how it is to be done",
    "拳ほどの石を、川へ投げた。": "a size",
    "家ほどもある岩が道をふさぐ。": "a size",
    "船は夜明けに港を出たようだった。": None,
    "夜でも目立つように、自転車に反射板をつけた。": None,
    "冬でも暖かいような部屋にしたい": None,
    "この猫は犬のようにしつけられている。": "treated",
    "文字を入れてください：「夢のような三日間」、白い明朝体": None,
}
REWRITTEN = {
    "雪のように白い肌の少女": "白い肌の少女",
    "雪のような白い肌の少女": "白い肌の少女",
    "リンゴのような頬の少女": "丸く赤い頬の少女",
    "ぬいぐるみのような犬が寝ている。": "ふわふわした犬が寝ている。",
    "夢のような景色": "幻想的な景色",
    "あたかも獅子のごとき戦士": "たくましい戦士",
    "雲は綿のようだ。": "雲は白くふわふわしている。",
    "髪は絹のようでした。": "髪はなめらかでした。",
    "月は針のようで、冷たい。": "月は細く鋭く、冷たい。",
    "生徒たちがごま粒のように見える。": "生徒たちが小さく黒く見える。",
    "黒猫のしっぽ、まるで疑問符、縁側": "黒猫のしっぽ、縁側",
    "二つの月、片方は齧りかけのビスケットそっくりに欠けている": "二つの月、片方は欠けている",
    "目だけは獲物を見つけたフクロウみたいにまん丸で。": "目だけはまん丸で。",
    "空に刷毛でひと塗りしたような雲がある。": "空に雲がある。",
    "彼女の声は古い蝶番みたいにきしんだ。": "彼女の声はきしんだ。",
    # the place that the scene has stays; one of the vehicle's own goes
    "壁に血が滲んだような錆が浮いている。": "壁に赤い錆が浮いている。",
    "靴音が、石畳の上で胡桃を割るように響いた。": "靴音が、石畳の上で響いた。",
    "紙に墨を落としたような雨雲が広がる。": "黒々とした雨雲が広がる。",
    "雨は、やがて親類のように縁側まで吹き込んだ。": "雨は、やがて縁側まで吹き込んだ。",
    # the clause before the vehicle says where the tenor is
    "砂漠を走るリボンのような一本道、空撮": "砂漠を走る一本道、空撮",
    "海辺に続く蛇のような道を、少年が歩く": "海辺に続く道を、少年が歩く",
    "平原に延びる赤いベルトのような道路を、車が走る。": "平原に延びる赤い道路を、車が走る。",
    # the look fits the tenor
    "鬼のような顔の男が怒鳴る": "恐ろしい顔の男が怒鳴る",
    "鷹のような目をした男が立つ。": "鋭い目をした男が立つ。",
    "彼女は氷のような微笑を浮かべた。": "彼女は冷たい微笑を浮かべた。",
    "机の上には山のような書類がある。": "机の上には大量の書類がある。",
    "人形のような肌の女性、青い瞳、白いドレス": "白くなめらかな肌の女性、青い瞳、白いドレス",
    "彼女の笑顔はひまわりみたいだ。": "彼女の笑顔は明るい。",
    # the look that the text itself gives the vehicle
    "黒い真珠のような瞳の少女": "黒い瞳の少女",
    "丸まって眠る猫は、大福そっくりだ。": "丸まって眠る猫は、白くもちもちしている。",
    "積み上げた薪は城壁を連想させる。": "積み上げた薪は高くどっしりしている。",
    "記者は蚊の鳴くような声で質問をした。": "記者はか細い声で質問をした。",
    "眠る街は、灰色の海のようだ。": "眠る街は、灰色だ。",
    "吹雪が白い壁のように峠を塞いだ。": "吹雪が白く峠を塞いだ。",
    "小さな星のような花が咲く。": "小さな花が咲く。",
    "郵便ポストは、まるで小人のようだ。": "郵便ポストは、とても小さい。",
    "お前、ロボットみたいだな": "お前、ぎこちないな",
    # a color that only a body has; a noun alone says nothing
    "霧の中から幽霊のような船が現れた。": "霧の中から船が現れた。",
    "幽霊のような顔の男が立つ。": "青白い顔の男が立つ。",
    "天使みたいな歌声ね": "澄んだ歌声ね",
    "赤ちゃんのように眠れるマットレス": "ぐっすり眠れるマットレス",
    # a manner where the verb has one and the text says none
    "街の灯りが宝石のように散らばる。": "街の灯りがきらきらと散らばる。",
    "雪が羽毛のようにふわふわと舞い落ちる。": "雪がふわふわと舞い落ちる。",
    "彼は石像のように立ち尽くした。": "彼は身じろぎもせず立ち尽くした。",
    "汗が滝のように流れる。": "汗がとめどなく流れる。",
    "髪を滝のように垂らした女": "髪をまっすぐ垂らした女",
    "ほっぺは紙ふうせんみたいで、やわらかい。": "ほっぺはやわらかい。",
    "おおきな くもが そふとくりーむみたいに もくもくしている": "おおきな くもが もくもくしている",
    "草むらの兜は、季節外れの瓜のように露を載せていた。": "草むらの兜は、露を載せていた。",
}
KEPT = [
    "先輩は借りてきた猫みたいです。",
    "獲物を狙う鷹のような目で見る。",
    "ラクダのような顔の男が怒鳴る",
    "蝦蟇のような目をした男が立つ。",
    "竹を割ったような性格の女将が座る。",
    "珊瑚のような枝ぶりの盆栽がある。",
    "相撲取りのような歩き方で猫が来た。",
    "ジェットコースターみたいな一年だった。",
    "ひび割れた大地は亀の甲羅を思わせた。",
    "空を飛ぶように走る。新型ロードバイク。",
    "三粒の涙のような星が並んだ。",
    "彼女の沈黙は、氷の壁のようだった。",
    "教室は、嵐の前の海のようだった。",
    "エルフの矢を、たとえるならツバメだ。",
    "満員のスタンド、振られるタオルが煮立った鍋のよう、夜間照明",
    "いびきがチェーンソーじみてて眠れない。",
    "琥珀糖のような景色",
    "猫が鳴くように歌う",
    "うちの犬、もやしみたいになった。",
    "あの二人は犬と猿のように仲が悪い。",
    "加速はチーターのごとく、静けさは梟のごとく。",
    "今季の赤は、柘榴を割ったみたいな赤。",
    "海に浮かぶ船のような島、夕暮れ",
    "窓辺に眠る人形のような少女",
    "子猫みたいな寝顔だね",
]

TENORS = {
    "炎のように赤い髪の剣士": "赤い髪",
    "くまは、布団のようにふかふかの苔の上で眠った。": "ふかふかの苔",
    "氷の女王、剃刀のごとく鋭いまなざし、青白い肌": "鋭いまなざし",
    "船を木の葉のように揺らした。": "船",
    "コートを翼のように広げて、男は飛んだ。": "コート",
    "まるで鏡みたいに、湖が空を映している。": "湖",
    "机の上には、嵐でも通ったかのように紙が散っていた。": "紙",
    "雪は音もなく、羽根布団でもかけるみたいに村をくるんだ。": "雪",
    "提灯が蛍のように揺れる参道を歩く。": "提灯",
    "烏賊の刺身、障子紙を重ねたような繊細な白": "繊細な白",
    "私たちは石のように黙っていた。": "私たち",
    "熊のような体つきの力士": "体つき",
    "宝石のような瞳の猫": "瞳",
    "赤ちゃんのように眠れるマットレス": "マットレス",
}


def _unmarked(marked: str) -> tuple[str, str]:
    return marked.replace("[", "").replace("]", ""), marked[marked.index("[") + 1 : marked.index("]")]


@pytest.mark.parametrize("marked", MARKED)
def test_every_marker_is_known_with_the_noun_that_is_compared_to(marked: str) -> None:
    text, vehicle = _unmarked(marked)
    plan = plan_by_rules(text, "ja")
    assert [plan.quote(figure.vehicle) for figure in plan.unseen] == [vehicle]
    (figure,) = plan.unseen
    assert figure.whole[0] <= figure.phrase[0] <= figure.vehicle[0] < figure.vehicle[1] <= figure.whole[1]
    assert figure.confidence > 0.5 and "simile" in figure.why


@pytest.mark.parametrize(("text", "why"), list(AGAINST.items()))
def test_what_is_no_figure_stays_and_the_plan_says_why(text: str, why: str | None) -> None:
    plan = plan_by_rules(text, "ja")
    assert plan.abstains and all(render(plan) == text for render in RENDERERS.values())
    reasons = [figure.why for figure in plan.figures]
    assert any(why in said for said in reasons) if why else not reasons


@pytest.mark.parametrize(("text", "left"), list(REWRITTEN.items()))
def test_a_rewrite_leaves_a_sentence_that_stands(text: str, left: str) -> None:
    assert RENDERERS["rewrite"](plan_by_rules(text, "ja")) == left


@pytest.mark.parametrize(("text", "tenor"), list(TENORS.items()))
def test_the_tenor_is_what_the_grammar_likens(text: str, tenor: str) -> None:
    plan = plan_by_rules(text, "ja")
    (figure,) = plan.unseen
    assert plan.quote(figure.tenor) == tenor


@pytest.mark.parametrize("text", KEPT)
def test_what_would_not_stand_is_left_alone(text: str) -> None:
    plan = plan_by_rules(text, "ja")
    assert plan.unseen and RENDERERS["rewrite"](plan) == text


@pytest.mark.parametrize("before", ["😀", "𠮷野家で、", "👩‍👩‍👧 ", "é́ ", "\u3000"])
def test_spans_count_code_points(before: str) -> None:
    text = before + "湖は鏡のように光る。"
    plan = plan_by_rules(text, "ja")
    assert [plan.quote(figure.vehicle) for figure in plan.unseen] == ["鏡"]


def test_the_analyzer_is_loaded_for_japanese_that_compares_and_for_nothing_else() -> None:
    code = (
        "import sys; import trope; from trope.strategies.guard import plan_by_rules as plan\n"
        "plan('Fog rolls in like a train.'); plan('他像一堵墙。'); plan('窓辺で本を読む。', 'ja')\n"
        "assert 'sudachipy' not in sys.modules\n"
        "assert plan('湖は鏡のようだ。').unseen and 'sudachipy' in sys.modules"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


def test_many_threads_may_ask_at_once() -> None:
    text = "湖は鏡のように光り、風が狼のように吠える。"
    with ThreadPoolExecutor(8) as pool:
        plans = list(pool.map(lambda _: plan_by_rules(text, "ja"), range(200)))
    assert all(plan == plans[0] for plan in plans) and len(plans[0].unseen) == 2


def test_no_wall_of_text_is_too_long_for_the_analyzer() -> None:
    text = "𠮷" * 60_000 + "は鏡のように光る"
    assert plan_by_rules(text, "ja").text == text
