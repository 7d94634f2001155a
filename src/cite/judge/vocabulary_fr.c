/* vocabulary_fr.c - French.  "ne" alone denies nothing; what stands behind the
 * verb does. */
#include "cite/judge/vocabulary.h"

const struct vocabulary vocabulary_fr = {
    .names = true,
    .decimal_comma = true,
    .negates = "pas jamais aucun aucune rien personne sans ni nulle nullement "
               "guere",
    .drops = "pas jamais aucun aucune",
    .mild = "seulement uniquement moins",
    .later = "avant encore",
    .denies = "echouer echoue refuser refuse nier nie rejeter rejete manquer "
              "manque empecher interdire interdit rarement peine impossible "
              "eviter exclure faux absence absent incapable",
    .undo = "in im il ir non",
    .months = "janvier,janv fevrier,fevr mars avril,avr mai juin juillet,juil "
              "aout septembre,sept octobre,oct novembre,nov decembre,dec",
    .numbers =
        "zero=0 deux=2 trois=3 quatre=4 cinq=5 six=6 sept=7 huit=8 neuf=9 "
        "dix=10 onze=11 douze=12 treize=13 quatorze=14 quinze=15 seize=16 "
        "vingt=20 trente=30 quarante=40 cinquante=50 soixante=60",
    .ordinals = "troisieme=3 quatrieme=4 cinquieme=5 sixieme=6 septieme=7 "
                "huitieme=8 neuvieme=9 dixieme=10",
    .scales = "cent=100 cents=100 mille=1000 million=1000000 "
              "millions=1000000 milliard=1000000000 milliards=1000000000",
    .joins = "et",
    .opposites =
        "augmenter/diminuer augmente/diminue monter/descendre hausse/baisse "
        "croitre/decroitre gagner/perdre plus/moins superieur/inferieur "
        "haut/bas grand/petit grande/petite long/court longue/courte "
        "avant/apres tot/tard premier/dernier premiere/derniere debut/fin "
        "commencer/finir ouvrir/fermer accepter/refuser accepter/rejeter "
        "autoriser/interdire permettre/empecher positif/negatif "
        "succes/echec reussir/echouer vrai/faux legal/illegal fort/faible "
        "chaud/froid vieux/jeune ancien/nouveau meilleur/pire bon/mauvais "
        "nord/sud est/ouest gauche/droite homme/femme vivant/mort "
        "maximum/minimum toujours/jamais acheter/vendre "
        "importation/exportation majorite/minorite guerre/paix jour/nuit "
        "noir/blanc rapide/lent riche/pauvre lourd/leger coupable/innocent "
        "avec/sans",
};
