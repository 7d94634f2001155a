/* turn.pml - the life of a turn, for Spin.  README.md says what is modelled.
 *
 * Two nodes share one store and one session.  A node may die at any step and
 * comes back with nothing in its head; it may also be so slow that the other
 * one takes it for dead (a zombie).  A commit may end without an outcome.  The
 * client asks again when it hears nothing, asks something else when the first
 * answer is over, and may press stop.
 *
 * Each of these takes one rule out, and must make a check fail:
 *
 *     -DNO_FENCE    a write does not compare the lease's epoch
 *     -DSHOW_FIRST  events are shown before their commit
 *     -DEND_FIRST   the end is shown before its commit
 *     -DNO_IDEM     a question that came before makes another answer
 *     -DNO_COUNT    a repeated write does not look whether it is there
 *     -DNO_SWEEP    nobody ends the turns of the dead */

#define EVENTS    3 /* of an answer: its sources, then text */
#define ANSWERS   4 /* one more than there are questions asked, and 0 */
#define STEALS    1 /* leases taken from a node that lives */
#define QUESTIONS 2
#ifndef CRASHES
#define CRASHES 2
#endif
#ifndef UNSURES
#define UNSURES 1 /* commits without an outcome */
#endif

/* ---- The store: what is durable ----------------------------------------- */

#define STREAMING   1
#define COMPLETE    2
#define STOPPED     3
#define INTERRUPTED 4

typedef answer {
    byte status;
    byte question;
    byte stored; /* events */
    byte writer; /* the epoch that began it */
    byte shown;  /* events that somebody has seen: not in the store */
    bool over;   /* somebody has seen the end: not in the store */
}
answer answers[ANSWERS];
byte answers_n = 0;
byte lease_answer = 0, lease_epoch, lease_node; /* 0: no turn runs */
byte epochs = 0;

/* ---- The world ----------------------------------------------------------- */

chan asked = [1] of { byte }; /* a question, for whichever node takes it */
bool stop = false;
byte crashes = 0, steals = 0, unsures = 0;

#ifdef NO_FENCE
#define HELD(a, epoch) (a != 0)
#else
#define HELD(a, epoch) (lease_answer == a && lease_epoch == epoch)
#endif

/* One transaction each. */
inline begin(q)
{
    d_step {
        mine = 0;
        k = 1;
        do
        :: k <= answers_n && answers[k].question == q -> break
        :: k <= answers_n && answers[k].question != q -> k++
        :: k > answers_n -> break
        od;
        if
#ifndef NO_IDEM
        :: k <= answers_n -> skip /* attached, or replayed */
#endif
        :: lease_answer != 0 -> skip /* turn_running */
        :: else ->
            assert(k > answers_n); /* one answer for a question */
            answers_n++;
            epochs++;
            mine = answers_n;
            epoch = epochs;
            answers[mine].status = STREAMING;
            answers[mine].question = q;
            answers[mine].writer = epoch;
            lease_answer = mine;
            lease_epoch = epoch;
            lease_node = me
        fi;
        k = 0
    }
}

/* ok: it is there, by this run or an earlier one. */
inline append()
{
    d_step {
        ok = false;
        if
#ifdef NO_COUNT
        :: HELD(mine, epoch) ->
#else
        :: HELD(mine, epoch) && answers[mine].stored == k + 1 && again ->
            ok = true
        :: HELD(mine, epoch) && answers[mine].stored == k ->
#endif
            assert(answers[mine].status == STREAMING);
            assert(answers[mine].writer == epoch);
            answers[mine].stored++;
            ok = true
        :: else -> skip
        fi;
        assert(!ok || answers[mine].stored == k + 1) /* none twice */
    }
}

inline finish(how)
{
    d_step {
        ok = false;
        if
        :: HELD(mine, epoch) ->
            assert(answers[mine].status == STREAMING); /* one end */
            answers[mine].status = how;
            lease_answer = 0;
            ok = true
        :: else -> skip
        fi
    }
}

/* Ends the turn of a node that is dead, or seems so. */
inline sweep()
{
    d_step {
        if
        :: lease_answer != 0 ->
            answers[lease_answer].status = INTERRUPTED;
            lease_answer = 0
        :: else -> skip
        fi
    }
}

inline tell()
{
    d_step {
        if
        :: answers[mine].shown < k -> answers[mine].shown = k
        :: else -> skip
        fi
    }
}

/* ---- A node -------------------------------------------------------------- */

/* What a node knows is gone; what it was about to do is not done. */
#define MAY_DIE                                                               \
    if                                                                        \
    :: crashes < CRASHES -> crashes++; goto dead                              \
    :: true -> skip                                                           \
    fi

proctype node(byte me)
{
    byte mine, epoch, k, q;
    bool ok, again;

idle:
    do
    :: asked ? q -> begin(q);
        if
        :: mine == 0 -> skip
        :: else -> break
        fi
#ifndef NO_SWEEP
    :: steals < STEALS && lease_answer != 0 && lease_node != me ->
        steals++;
        sweep()
#endif
    od;

    k = 0;
    again = false;
    do
    :: k < EVENTS && !stop ->
        MAY_DIE;
#ifdef SHOW_FIRST
        k++; tell(); k--;
        MAY_DIE;
#endif
        append();
        if
        :: ok && unsures < UNSURES -> unsures++; again = true /* was it? */
        :: ok -> k++; again = false; MAY_DIE; tell()
        :: !ok -> goto idle /* ended elsewhere */
        fi
    :: k < EVENTS && stop -> finish(STOPPED); break
    :: k == EVENTS ->
#ifdef END_FIRST
        answers[mine].over = true;
#endif
        MAY_DIE;
        finish(COMPLETE); break
    od;
    MAY_DIE;
    if
    :: ok -> answers[mine].over = true
    :: else -> skip
    fi;
    goto idle;

dead:
    atomic {
        mine = 0; epoch = 0; k = 0; again = false; ok = false
    }
#ifndef NO_SWEEP
    /* The first thing that it does when it is back. */
    if
    :: lease_node == me -> sweep()
    :: else -> skip
    fi;
#endif
    goto idle
}

/* ---- The client ---------------------------------------------------------- */

/* What it has seen is in the history, as it saw it. */
inline look(a)
{
    assert(answers[a].shown <= answers[a].stored);
    assert(!answers[a].over || answers[a].status >= COMPLETE)
}

proctype client()
{
    byte q = 1, tries = 0;

    do
    :: q <= QUESTIONS && tries < 2 -> asked ! q; tries++ /* no answer heard */
    :: tries > 0 && answers_n > 0 && !stop -> stop = true
    :: tries > 0 -> look(1); look(2);
        if
        :: answers_n > 0 && answers[answers_n].status >= COMPLETE &&
            q < QUESTIONS -> q++; tries = 0; stop = false
        :: else -> skip
        fi
    :: q == QUESTIONS && tries == 2 -> break
    od;
end:
    do
    :: look(1); look(2)
    od
}

init
{
    atomic {
        run node(1);
        run node(2);
        run client()
    }
}

/* Whatever happens, no turn runs for ever. */
ltl ends { [] <> (lease_answer == 0) }
