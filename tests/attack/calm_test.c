/* calm_test.c - the other user, when nobody attacks. */
#include "attack_site.h"
#include "contract.h"

CONTRACT(attack_none_other_user_goes_on)
{
    ATTACK_SITE(a);

    other_user_goes_on(&a);
    other_user_goes_on(&a);
}
