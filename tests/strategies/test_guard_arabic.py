"""Arabic rules: what is likened, and the adjectives that agree with it."""

from __future__ import annotations

import pytest

from trope.strategies.guard import RENDERERS, plan_by_rules
from trope.strategies.guard.arabic.agreement import inflected, known_noun
from trope.strategies.guard.arabic.words import words_of

# Where the subject stands in each order of words; which noun is only the place, the object or another clause's.
TENORS = {
    "لمعت عيناه في الظلام كعيني قط.": "عيناه",
    "نام الطفل في حضن أمه كالملاك.": "الطفل",
    "عبر الفرسان النهر كالسهام.": "الفرسان",
    "قمر ناحل فوق المئذنة كأنه قلامة ظفر، سماء كحلية": "قمر",
    "سرب زرازير فوق الحقل يتماوج كالدخان، غروب": "سرب زرازير",
    "طفلة بفستان أحمر كالكرز تركض في الحقل": "فستان",
    "بورتريه لرجل، تجاعيد وجهه كشقوق في أرض جافة": "تجاعيد",
    "نمر عيناه كالجمر، غابة مظلمة، ضباب": "عيناه",
    "نهض الرجل ببطء، ومسح الغبار عن معطفه، ثم مشى نحو الباب مثل ملك مخلوع.": "الرجل",
    "قال المدرب إن فريقه قاتل كالأسود.": "فريقه",
    "وقف الأب كالجبل والابن بجانبه كالعصفور المبلل.": "الابن",
    "أدار المفتش قبعته بين أصابعه، كأنها مقود قديم.": "قبعته",
    "تنفتح النافذة فتندفع الستارة إلى الداخل كأنها شبح.": "الستارة",
    "تشبه ضفائرها حبالا من حرير.": "ضفائرها",
    "كان في عامه الأول يأكل مثل عصفور، وينام مثل حجر.": None,
}


# Two figures in one sentence: each quality goes with its own subject.
TWO = {
    "عيناها كالبحر وشعرها كالذهب.": "عيناها واسعتان وشعرها أصفر براق.",
    "كانت السماء كالرماد والأرض كالجمر بعد القصف.": "كانت السماء رمادية والأرض حمراء متوهجة بعد القصف.",
    "كان الحصان كالليل، وكان الفارس كالصخرة.": "كان الحصان أسود، وكان الفارس ساكنا.",
    "وقف الأخ كالسد والأخت خلفه كالظل.": "وقف الأخ والأخت خلفه.",
    "كلامه كالعسل ونظرته كالسيف.": "كلامه كالعسل ونظرته كالسيف.",
    "ركض خالد كالغزال وتبعه سامي كالسلحفاة.": "ركض خالد وتبعه سامي.",
}


# What is no part of the comparison stays: a place behind a known vehicle, what the owner of a part does.
STAYS = {
    "هلال يشبه المنجل فوق حقل قمح، رسم توضيحي": "هلال فوق حقل قمح، رسم توضيحي",
    "نجمة تشبه اللؤلؤة في سماء صافية، رسم رقمي": "نجمة بيضاء لامعة في سماء صافية، رسم رقمي",
    "هلال يشبه المنجل فوق حقول القمح، رسم": "هلال يشبه المنجل فوق حقول القمح، رسم",
    "شيخ لحيته كالقطن يقرأ كتابا": "شيخ لحيته بيضاء ناعمة يقرأ كتابا",
    "بحار عجوز لحيته كالثلج يصلح شبكة، لوحة زيتية": "بحار عجوز لحيته بيضاء ناصعة يصلح شبكة، لوحة زيتية",
    "شيخ لحيته كقطن يقرأ كتابا": "شيخ لحيته كقطن يقرأ كتابا",
    "صياد عجوز، يداه كلحاء الشجر، يرقّع شبكة": "صياد عجوز، يداه كلحاء الشجر، يرقّع شبكة",
    "جدتي شعرها كالقطن تحيك وشاحا": "جدتي شعرها كالقطن تحيك وشاحا",
    "بحار، لحيته كالثلج، يصلح شبكة": "بحار، لحيته بيضاء ناصعة، يصلح شبكة",
}


@pytest.mark.parametrize("text", list(TENORS))
def test_what_is_likened(text: str) -> None:
    plan = plan_by_rules(text, "ar")
    assert plan.quote(plan.figures[-1].tenor) == TENORS[text]


@pytest.mark.parametrize("text", list(STAYS))
def test_what_belongs_to_the_scene_stays(text: str) -> None:
    assert RENDERERS["rewrite"](plan_by_rules(text, "ar")) == STAYS[text]


@pytest.mark.parametrize(
    "text",
    [
        "كما يشرب الرجل القهوة تشرب المرأة الشاي.",
        "كما دخل الحصان الساحة، دخل الفارس.",
        "يشرب الرجل القهوة كما تشرب المرأة الشاي.",
    ],
)
def test_two_who_do_the_same_are_both_there(text: str) -> None:
    assert plan_by_rules(text, "ar").abstains


@pytest.mark.parametrize("text", ["يقفز الولد كما يقفز الأرنب.", "كما يذوب الثلج ذاب غضبه."])
def test_doing_as_a_beast_or_a_thing_does_is_a_figure(text: str) -> None:
    assert len(plan_by_rules(text, "ar").unseen) == 1


@pytest.mark.parametrize("text", list(TWO))
def test_two_figures_of_one_sentence(text: str) -> None:
    plan = plan_by_rules(text, "ar")
    assert len(plan.unseen) == 2 and RENDERERS["rewrite"](plan) == TWO[text]


@pytest.mark.parametrize(
    ("noun", "adjective", "oblique", "said"),
    [
        ("عيناها", "واسع", False, "واسعتان"),
        ("عينين", "أخضر", True, "خضراوين"),
        ("السماء", "أزرق", True, "زرقاء"),
        ("القمر", "مضيء", True, "مضيئا"),
        ("النجوم", "مضيء", False, "مضيئة"),
        ("البيت", "أبيض ناصع", True, "أبيض ناصعا"),
        ("الماء", "صافي", False, "صاف"),
        ("الماء", "صافي", True, "صافيا"),
        ("وجوه", "مليء بالخطوط", False, "مليئة بالخطوط"),
    ],
)
def test_adjectives_agree(noun: str, adjective: str, oblique: bool, said: str) -> None:
    found = known_noun(words_of(noun, 0, len(noun))[0])
    assert found is not None
    assert inflected(adjective, found, oblique=oblique, tanwin=False) == said


def test_a_text_that_writes_tanwin_gets_it() -> None:
    text = "كان القمرُ كالرغيف ليلًا."
    figure = plan_by_rules(text, "ar").figures[0]
    assert figure.replacement == " مستديرًا"


@pytest.mark.parametrize("tenor", ["صوته", "رائحتها", "ذكرياته", "حبه"])
def test_nothing_is_seen_of_what_is_heard_or_felt(tenor: str) -> None:
    figure = plan_by_rules(f"كان {tenor} كالنار.", "ar").figures[0]
    assert figure.qualities == () and figure.replacement is None
