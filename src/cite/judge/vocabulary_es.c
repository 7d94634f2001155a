/* vocabulary_es.c - Spanish. */
#include "cite/judge/vocabulary.h"

const struct vocabulary vocabulary_es = {
    .names = true,
    .decimal_comma = true,
    .negates = "no nunca jamas ningun ninguno ninguna nadie nada ni sin "
               "tampoco",
    .drops = "no nunca jamas",
    .mild = "solo solamente unicamente menos",
    .later = "hasta aun",
    .denies = "fracasar fracaso negar nego rechazar rechazo carecer carece "
              "faltar falta impedir impidio prohibir prohibio raramente "
              "apenas imposible evitar excluir falso ausencia incapaz",
    .undo = "in im i ir des",
    .months = "enero,ene febrero,feb marzo,mar abril,abr mayo junio,jun "
              "julio,jul agosto,ago septiembre,setiembre,sep octubre,oct "
              "noviembre,nov diciembre,dic",
    .always_capital = "mar",
    .numbers =
        "cero=0 dos=2 tres=3 cuatro=4 cinco=5 seis=6 siete=7 ocho=8 nueve=9 "
        "diez=10 once=11 doce=12 trece=13 catorce=14 quince=15 dieciseis=16 "
        "diecisiete=17 dieciocho=18 diecinueve=19 veinte=20 treinta=30 "
        "cuarenta=40 cincuenta=50 sesenta=60 setenta=70 ochenta=80 noventa=90",
    .ordinals = "tercero=3 tercera=3 tercer=3 cuarto=4 cuarta=4 quinto=5 "
                "quinta=5 sexto=6 septimo=7 octavo=8 noveno=9 decimo=10",
    .scales = "cien=100 ciento=100 mil=1000 millon=1000000 millones=1000000",
    .joins = "y",
    .opposites =
        "aumentar/disminuir aumento/disminuyo subir/bajar crecer/decrecer "
        "ganar/perder gano/perdio mas/menos mayor/menor superior/inferior "
        "alto/bajo alta/baja grande/pequeno largo/corto larga/corta "
        "antes/despues temprano/tarde sobre/bajo primero/ultimo "
        "primera/ultima principio/final comenzar/terminar abrir/cerrar "
        "aceptar/rechazar permitir/prohibir permitir/impedir "
        "positivo/negativo exito/fracaso verdadero/falso legal/ilegal "
        "fuerte/debil caliente/frio viejo/joven antiguo/nuevo mejor/peor "
        "bueno/malo norte/sur este/oeste izquierda/derecha hombre/mujer "
        "vivo/muerto maximo/minimo siempre/nunca comprar/vender "
        "importacion/exportacion mayoria/minoria guerra/paz dia/noche "
        "negro/blanco rapido/lento rico/pobre pesado/ligero "
        "culpable/inocente con/sin",
};
