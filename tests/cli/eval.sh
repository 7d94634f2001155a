#!/bin/bash
# eval.sh - the verbs `search` and `eval` from outside.  Ends with the closing
# line.
. "$(dirname "$0")/../help/program.sh"

# --- eval -------------------------------------------------------------------

mkdir set
cat >set/docs.jsonl <<'END'
{"id":"a","title":"Apples","text":"Apples are red. They grow on trees.","scope":"fruit","extra":1}
{"id":"b","title":"Apples","text":"An apple a day keeps the doctor away.","scope":"fruit"}
{"id":"c","title":"Trains","text":"Trains run on rails. The first one ran in 1804."}
END
cat >set/queries.jsonl <<'END'
{"id":"1","text":"what colour are apples?","scope":"fruit"}
{"id":"2","text":"when did the first one run?","history":[["user","tell me about trains"],["agent","They run."]],"answers":["1804"]}
{"id":"3","text":"who is the president?"}
END
printf '1\ta\t1\n2\tc\t1\n' >set/qrels.tsv
ends 0 eval set --history --answers --json
for key in ndcg@10 recall@10 recall@100 mrr answer@1 answer@3; do
    out_has "\"$key\":1"
done
out_has '"p50_ms":'
out_has '"p99_ms":'
ends 0 eval set --scoped
out_has "ndcg@10       1.0000"
[ -z "$(grep answer out)" ]
result $? "answers are measured when asked for"
ends 0 eval set --confidence --json
out_has '"auc_removed":1,"auc_no_answer":1,"false_alarms":'
[ -z "$(grep outside out)" ]
result $? "questions of another collection are measured when there is one"
mkdir outside
echo '{"id":"x","text":"Bread is baked."}' >outside/docs.jsonl
echo '{"id":"y","text":"how do I bake bread?"}' >outside/queries.jsonl
printf 'y\tx\t1\n' >outside/qrels.tsv
ends 0 eval set --confidence --outside outside
out_has "auc_outside   1.0000"
out_has "low_outside   1.0000"
ends 3 eval set --confidence --outside nowhere
ends 2 eval
ends 3 eval nowhere
err_has "nowhere/docs.jsonl is not there"
echo '{"id":"x"' >>set/docs.jsonl
ends 1 eval set
err_has "docs.jsonl, line 4"

# --- verdicts ---------------------------------------------------------------
# Claims of our own, so that the figures of docs/verdicts.md cannot rot unseen:
# nothing here is as hard as web pages, and a judge that misses one is broken.

ends 0 eval "$tree/tests/cli/claims" --claims
for figure in supported negation name number best_gold carried; do
    out_has "$(printf '%-13s 1.0000' $figure)"
done
out_has "contradicts   0.0000"

# --- search -----------------------------------------------------------------

ends 3 search entropy --data data
ends 0 key add ada --data data
ends 0 search entropy --data data
out_has "Nothing was found."
ends 0 search entropy --data data --json
out_has '{"hits":[],"lowConfidence":true,"scopeEmpty":false}'
ends 3 search entropy --data data --course nowhere
ends 2 search --data data
ends 2 search two words --data data
ends 2 search x --limit 0 --data data

closing
