/* vocabulary_en.c - English. */
#include "cite/judge/vocabulary.h"

const struct vocabulary vocabulary_en = {
    .names = true,
    .negates = "not no never none neither nor without cannot nobody nothing "
               "nowhere isn aren wasn weren hasn haven hadn doesn don didn won "
               "wouldn couldn shouldn mustn ain",
    .drops = "not never cannot isn aren wasn weren hasn haven hadn doesn don "
             "didn won wouldn couldn shouldn mustn",
    .none_of = "no",
    .mild = "only just least merely simply solely",
    .later = "until till yet",
    .denies = "fail refuse deny decline lack reject unable hardly prevent ban "
              "few rarely seldom barely scarcely prohibit forbid exclude avoid "
              "abandon cancel unlikely impossible absent absence instead false",
    .undo = "un in im il ir non dis",
    .months = "january,jan february,feb march,mar april,apr may june,jun "
              "july,jul august,aug september,sep,sept october,oct november,nov "
              "december,dec",
    .always_capital = "may march mar jan jun august dec sep",
    .numbers =
        "zero=0 one=1 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 "
        "ten=10 eleven=11 twelve=12 thirteen=13 fourteen=14 fifteen=15 "
        "sixteen=16 seventeen=17 eighteen=18 nineteen=19 twenty=20 thirty=30 "
        "forty=40 fifty=50 sixty=60 seventy=70 eighty=80 ninety=90",
    .ordinals =
        "third=3 fourth=4 fifth=5 sixth=6 seventh=7 eighth=8 ninth=9 tenth=10 "
        "eleventh=11 twelfth=12 thirteenth=13 fourteenth=14 fifteenth=15 "
        "sixteenth=16 seventeenth=17 eighteenth=18 nineteenth=19 twentieth=20 "
        "thirtieth=30 fortieth=40 fiftieth=50",
    .scales = "hundred=100 thousand=1000 million=1000000 billion=1000000000 "
              "trillion=1000000000000",
    .joins = "and",
    .opposites =
        "increase/decrease rise/fall grow/shrink gain/lose win/lose "
        "raise/lower "
        "more/fewer more/less most/least higher/lower high/low large/small "
        "larger/smaller largest/smallest big/small bigger/smaller "
        "greater/smaller great/small long/short longer/shorter before/after "
        "early/late earlier/later above/below over/under up/down "
        "inside/outside "
        "first/last begin/end start/end start/stop open/close open/shut "
        "accept/reject accept/refuse allow/forbid allow/prevent "
        "permit/prohibit "
        "agree/disagree support/oppose approve/reject include/exclude "
        "positive/negative success/failure succeed/fail true/false "
        "legal/illegal lawful/unlawful strong/weak stronger/weaker hot/cold "
        "warm/cold warmer/colder old/young older/younger old/new best/worst "
        "better/worse good/bad north/south northern/southern east/west "
        "eastern/western left/right male/female man/woman alive/dead "
        "maximum/minimum major/minor public/private always/never enter/leave "
        "arrive/depart buy/sell import/export majority/minority "
        "friend/enemy war/peace day/night black/white wet/dry hard/soft "
        "fast/slow faster/slower rich/poor heavy/light profit/loss "
        "guilty/innocent internal/external possible/impossible "
        "appear/disappear connect/disconnect attack/defend full/empty "
        "everyone/nobody both/neither with/without",
};
