/* lines_test.c - programs, LaTeX and notebooks: what is cited by line or cell.
 */
#include "read_passages.h"

#include <string.h>

TEST(a_program_is_cited_by_its_lines)
{
    static const char program[] = "#!/bin/sh\n# Counts.\n\nfor i in 1 2; do\n"
                                  "    echo $i\ndone\n";

    CHECK_INT(format_detect(str_c(program), STR("x")), FORMAT_CODE);
    CHECK_INT(format_detect(STR("int x;\n"), STR("a.c")), FORMAT_CODE);
    struct read *r = read_as_text(FORMAT_CODE, program);
    CHECK_INT(r->n, 1);
    CHECK_TEXT(r->passages[0].text,
               STR("#!/bin/sh\n# Counts.\n\nfor i in 1 2; do\n    echo $i\n"
                   "done"));
    CHECK_TEXT(r->passages[0].locator, STR("lines 1–6"));
    read_free(r);
    r = read_as_text(FORMAT_CODE, "\n\nint x;\n");
    CHECK_TEXT(r->passages[0].locator, STR("line 3"));
    read_free(r);
}

TEST(the_passages_of_a_long_program_cover_all_of_its_lines)
{
    struct arena a = ARENA(SCRATCH);
    struct read *r = read_as_bytes(
        FORMAT_CODE,
        read_repeated(&a, "", "one two three four five six;\n", 400));

    CHECK(r->n > 15);
    CHECK(str_starts(r->passages[0].locator, STR("lines 1–")));
    CHECK(memmem(r->passages[r->n - 1].locator.p,
                 r->passages[r->n - 1].locator.n, "–400", 6));
    read_free(r);
    arena_free(&a);
}

static const char paper[] =
    "% A paper\n\\documentclass[a4paper]{article}\n\\usepackage{amsmath}\n"
    "\\title{On \\emph{heat}}\n\\newcommand{\\x}[1]{no #1}\n"
    "\\begin{document}\n\\maketitle\n\\section{Why ice \\\"uberhaupt floats}"
    "\\label{sec:ice}\n"
    "Ice~floats, na\\\"{\\i}ve as \\textbf{that} is\\footnote{Said 20\\,\\%\n"
    "of them.}: see Figure~\\ref{f} and \\cite[p. 2]{x}. % hidden\n"
    "The energy is $E = m c^2 \\times \\alpha$ --- ``really''.\n\n"
    "\\begin{itemize}\n\\item one pump\n\\item[b] a meter\n\\end{itemize}\n"
    "\\begin{verbatim}\n  if (x) \\n {\n  }\n\\end{verbatim}\n"
    "\\begin{tabular}{l|l}\nrun & heat \\\\ \\hline\n1 & 1080 \\\\\n"
    "\\end{tabular}\n\\begin{comment}\nNever.\n\\end{comment}\n"
    "\\begin{equation}\n\\frac{a}{b} \\leq 2\n\\end{equation}\nEnd.\n"
    "\\end{document}\nBehind.\n";

TEST(latex_is_read_without_its_commands)
{
    CHECK_INT(format_detect(str_c(paper), STR("x.txt")), FORMAT_LATEX);
    struct read *r = read_as_text(FORMAT_LATEX, paper);

    CHECK_TEXT(r->facts.title, STR("On heat"));
    CHECK_INT(r->n, 1);
    CHECK_TEXT(r->passages[0].heading, STR("Why ice überhaupt floats"));
    CHECK_TEXT(r->passages[0].locator, STR("lines 9–31"));
    CHECK_TEXT(
        r->passages[0].text,
        STR("Ice floats, naïve as that is: see Figure and . The energy is E = "
            "m c^2 ×α — “really”.\nNote: Said 20 % of them.\n\n- one pump\n"
            "- b a meter\n\n  if (x) \\n {\n  }\n\nrun | heat\n1 | 1080\n\n"
            "ab ≤2\n\nEnd."));
    read_free(r);
}

TEST(bad_latex_ends)
{
    struct arena a = ARENA(SCRATCH);

    read_refused(FORMAT_LATEX, STR("\\documentclass{a}\\begin{document}"),
                 FOOTNOTE_INVALID, "no text");
    read_free(
        read_as_bytes(FORMAT_LATEX, read_repeated(&a, "x", "\\label{", 3000)));
    read_free(read_as_bytes(FORMAT_LATEX,
                            read_repeated(&a, "x", "\\footnote{", 3000)));
    arena_free(&a);
}

static const char notebook[] =
    "{\"cells\": [{\"cell_type\": \"markdown\", \"source\": [\"# Heat\\n\", "
    "\"It *flows*.\"]}, {\"cell_type\": \"code\", \"source\": \"a = 1\\n"
    "print(a)\", \"outputs\": [{\"output_type\": \"stream\", \"text\": [\"1\\n"
    "\"]}, {\"data\": {\"image/png\": \"iVBORw0\", \"text/plain\": "
    "\"<Figure>\"}}, {\"data\": {\"text/html\": \"<b>2</b>\", \"text/plain\": "
    "[\"2\"]}}, {\"ename\": \"Error\", \"evalue\": \"bad\", \"traceback\": "
    "[\"\\u001b[31mx\"]}, {\"text\": \"\\u001b[31mred\\u001b[0m\"}]}, "
    "{\"cell_type\": \"raw\", \"source\": \"\\\\section\"}, {\"cell_type\": "
    "\"markdown\", \"source\": \"And on.\"}], \"nbformat\": 4}";

TEST(a_notebook_is_cited_by_its_cells)
{
    CHECK_INT(format_detect(str_c(notebook), STR("x")), FORMAT_NOTEBOOK);
    struct read *r = read_as_text(FORMAT_NOTEBOOK, notebook);

    CHECK_INT(r->n, 3);
    CHECK_TEXT(r->facts.title, STR("Heat"));
    CHECK_TEXT(r->passages[0].text, STR("It flows."));
    CHECK_TEXT(r->passages[0].locator, STR("cell 1"));
    CHECK_TEXT(r->passages[1].text,
               STR("a = 1\nprint(a)\n\n1\n\n2\n\nError: bad\n\nred"));
    CHECK_TEXT(r->passages[1].heading, STR("Heat"));
    CHECK_TEXT(r->passages[1].locator, STR("cell 2"));
    CHECK_TEXT(r->passages[2].locator, STR("cell 4"));
    read_free(r);
    read_refused_when_cut(FORMAT_NOTEBOOK, str_c(notebook));
    read_refused(FORMAT_NOTEBOOK, STR("{\"cells\": 3}"), FOOTNOTE_INVALID,
                 "no notebook");
}
