/* vocabulary_de.c - German, whose nouns all have capitals: nothing is a name.
 */
#include "cite/judge/vocabulary.h"

const struct vocabulary vocabulary_de = {
    .decimal_comma = true,
    .negates = "nicht kein keine keinen keinem keiner keines nie niemals "
               "niemand nichts nirgends nirgendwo weder noch ohne",
    .drops = "nicht nie niemals kein keine keinen keinem keiner keines",
    .mild = "nur bloss allein mindestens",
    .later = "vor bevor erst",
    .denies = "scheitern scheiterte weigern weigerte verweigern verweigerte "
              "ablehnen lehnte abgelehnt fehlen fehlt verbieten verbot "
              "verboten verhindern verhinderte kaum selten unmoglich "
              "vermeiden ausschliessen falsch statt anstatt mangel",
    .undo = "un in im ir",
    .months = "januar,jan februar,feb marz april,apr mai juni,jun juli,jul "
              "august,aug september,sep,sept oktober,okt november,nov "
              "dezember,dez",
    .numbers =
        "null=0 eins=1 zwei=2 drei=3 vier=4 funf=5 sechs=6 sieben=7 acht=8 "
        "neun=9 zehn=10 elf=11 zwolf=12 dreizehn=13 vierzehn=14 funfzehn=15 "
        "sechzehn=16 siebzehn=17 achtzehn=18 neunzehn=19 zwanzig=20 funfzig=50 "
        "dreissig=30 vierzig=40 sechzig=60 siebzig=70 "
        "achtzig=80 neunzig=90",
    .ordinals = "dritte=3 dritten=3 dritter=3 vierte=4 vierten=4 funfte=5 "
                "funften=5 sechste=6 sechsten=6 siebte=7 siebten=7 achte=8 "
                "achten=8 neunte=9 neunten=9 zehnte=10 zehnten=10",
    .scales = "hundert=100 tausend=1000 million=1000000 millionen=1000000 "
              "milliarde=1000000000 milliarden=1000000000",
    .joins = "und",
    .opposites =
        "steigen/fallen stieg/fiel zunehmen/abnehmen wachsen/schrumpfen "
        "gewinnen/verlieren gewann/verlor mehr/weniger hoher/niedriger "
        "hoch/niedrig gross/klein grosser/kleiner lang/kurz langer/kurzer "
        "vor/nach fruh/spat fruher/spater uber/unter innen/aussen "
        "erste/letzte beginn/ende anfang/ende offnen/schliessen "
        "annehmen/ablehnen erlauben/verbieten erlaubt/verboten "
        "positiv/negativ erfolg/misserfolg wahr/falsch legal/illegal "
        "stark/schwach heiss/kalt warm/kalt alt/jung alt/neu gut/schlecht "
        "besser/schlechter nord/sud norden/suden ost/west osten/westen "
        "links/rechts mann/frau lebendig/tot maximum/minimum immer/nie "
        "kaufen/verkaufen import/export mehrheit/minderheit krieg/frieden "
        "tag/nacht schwarz/weiss schnell/langsam reich/arm schwer/leicht "
        "gewinn/verlust schuldig/unschuldig mit/ohne",
};
