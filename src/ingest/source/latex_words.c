/* latex_words.c - commands, environments, signs and accents as tables. */
#include "ingest/source/latex_words.h"

static const struct {
    const char *name;
    enum latex_role role;
    int level, arguments;
} roles[] = {
    {"part", LATEX_HEADING, 1, 0},
    {"chapter", LATEX_HEADING, 1, 0},
    {"section", LATEX_HEADING, 2, 0},
    {"subsection", LATEX_HEADING, 3, 0},
    {"subsubsection", LATEX_HEADING, 4, 0},
    {"paragraph", LATEX_HEADING, 5, 0},
    {"subparagraph", LATEX_HEADING, 6, 0},
    {"frametitle", LATEX_HEADING, 3, 0},
    {"title", LATEX_TITLE, 0, 0},
    {"footnote", LATEX_NOTE, 0, 0},
    {"footnotetext", LATEX_NOTE, 0, 0},
    {"thanks", LATEX_NOTE, 0, 0},
    {"item", LATEX_ITEM, 0, 0},
    {"bibitem", LATEX_ITEM, 0, 1},
    {"par", LATEX_BREAK, 0, 0},
    {"newline", LATEX_BREAK, 0, 0},
    {"href", LATEX_LINK, 0, 1},
    {"begin", LATEX_BEGIN, 0, 0},
    {"end", LATEX_END, 0, 0},
    {"verb", LATEX_VERB, 0, 0},
    {"lstinline", LATEX_VERB, 0, 0},
    {"textcolor", LATEX_LINK, 0, 1},
    {"colorbox", LATEX_LINK, 0, 1},
    {"multicolumn", LATEX_LINK, 0, 2},
    {"raisebox", LATEX_LINK, 0, 1},
    {"parbox", LATEX_LINK, 0, 1},
    {"label", LATEX_DROPPED, 0, 1},
    {"ref", LATEX_DROPPED, 0, 1},
    {"eqref", LATEX_DROPPED, 0, 1},
    {"autoref", LATEX_DROPPED, 0, 1},
    {"cref", LATEX_DROPPED, 0, 1},
    {"Cref", LATEX_DROPPED, 0, 1},
    {"pageref", LATEX_DROPPED, 0, 1},
    {"cite", LATEX_DROPPED, 0, 1},
    {"citep", LATEX_DROPPED, 0, 1},
    {"citet", LATEX_DROPPED, 0, 1},
    {"parencite", LATEX_DROPPED, 0, 1},
    {"textcite", LATEX_DROPPED, 0, 1},
    {"nocite", LATEX_DROPPED, 0, 1},
    {"index", LATEX_DROPPED, 0, 1},
    {"input", LATEX_DROPPED, 0, 1},
    {"include", LATEX_DROPPED, 0, 1},
    {"includegraphics", LATEX_DROPPED, 0, 1},
    {"usepackage", LATEX_DROPPED, 0, 1},
    {"documentclass", LATEX_DROPPED, 0, 1},
    {"bibliography", LATEX_DROPPED, 0, 1},
    {"bibliographystyle", LATEX_DROPPED, 0, 1},
    {"addbibresource", LATEX_DROPPED, 0, 1},
    {"vspace", LATEX_DROPPED, 0, 1},
    {"hspace", LATEX_DROPPED, 0, 1},
    {"pagestyle", LATEX_DROPPED, 0, 1},
    {"thispagestyle", LATEX_DROPPED, 0, 1},
    {"pagenumbering", LATEX_DROPPED, 0, 1},
    {"setlength", LATEX_DROPPED, 0, 2},
    {"addtolength", LATEX_DROPPED, 0, 2},
    {"setcounter", LATEX_DROPPED, 0, 2},
    {"addtocounter", LATEX_DROPPED, 0, 2},
    {"color", LATEX_DROPPED, 0, 1},
    {"definecolor", LATEX_DROPPED, 0, 3},
    {"newcommand", LATEX_DROPPED, 0, 2},
    {"renewcommand", LATEX_DROPPED, 0, 2},
    {"providecommand", LATEX_DROPPED, 0, 2},
    {"newenvironment", LATEX_DROPPED, 0, 3},
    {"newtheorem", LATEX_DROPPED, 0, 2},
    {"hypersetup", LATEX_DROPPED, 0, 1},
    {"graphicspath", LATEX_DROPPED, 0, 1},
    {"lstset", LATEX_DROPPED, 0, 1},
    {"lstinputlisting", LATEX_DROPPED, 0, 1},
    {"cline", LATEX_DROPPED, 0, 1},
    {"cmidrule", LATEX_DROPPED, 0, 1},
    {"phantom", LATEX_DROPPED, 0, 1},
    {"hyphenation", LATEX_DROPPED, 0, 1},
    {"addcontentsline", LATEX_DROPPED, 0, 3},
    {"markboth", LATEX_DROPPED, 0, 2},
    {"fontsize", LATEX_DROPPED, 0, 2},
    {"url", LATEX_SHOWN, 0, 0},
};

enum latex_role latex_role(struct str command, int *level, int *arguments)
{
    *level = *arguments = 0;
    if (command.n && command.p[command.n - 1] == '*')
        command.n--;
    for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
        if (!str_eq(command, str_c(roles[i].name)))
            continue;
        *level = roles[i].level;
        *arguments = roles[i].arguments;
        return roles[i].role;
    }
    return LATEX_SHOWN;
}

enum latex_environment latex_environment(struct str name)
{
    static const struct {
        const char *name;
        enum latex_environment kind;
    } all[] = {{"verbatim", ENV_CODE},       {"Verbatim", ENV_CODE},
               {"lstlisting", ENV_CODE},     {"minted", ENV_CODE},
               {"alltt", ENV_CODE},          {"comment", ENV_DROPPED},
               {"tikzpicture", ENV_DROPPED}, {"picture", ENV_DROPPED},
               {"pspicture", ENV_DROPPED},   {"filecontents", ENV_DROPPED},
               {"equation", ENV_MATH},       {"align", ENV_MATH},
               {"gather", ENV_MATH},         {"multline", ENV_MATH},
               {"eqnarray", ENV_MATH},       {"displaymath", ENV_MATH},
               {"math", ENV_MATH},           {"alignat", ENV_MATH},
               {"flalign", ENV_MATH},        {"tabular", ENV_TABLE},
               {"tabularx", ENV_TABLE},      {"longtable", ENV_TABLE},
               {"array", ENV_TABLE},         {"tabu", ENV_TABLE}};

    if (name.n && name.p[name.n - 1] == '*')
        name.n--;
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        if (str_eq(name, str_c(all[i].name)))
            return all[i].kind;
    return ENV_TEXT;
}

static const char *const signs[][2] = {{"alpha", "α"},
                                       {"beta", "β"},
                                       {"gamma", "γ"},
                                       {"delta", "δ"},
                                       {"epsilon", "ε"},
                                       {"varepsilon", "ε"},
                                       {"zeta", "ζ"},
                                       {"eta", "η"},
                                       {"theta", "θ"},
                                       {"vartheta", "ϑ"},
                                       {"iota", "ι"},
                                       {"kappa", "κ"},
                                       {"lambda", "λ"},
                                       {"mu", "μ"},
                                       {"nu", "ν"},
                                       {"xi", "ξ"},
                                       {"pi", "π"},
                                       {"rho", "ρ"},
                                       {"sigma", "σ"},
                                       {"tau", "τ"},
                                       {"upsilon", "υ"},
                                       {"phi", "φ"},
                                       {"varphi", "φ"},
                                       {"chi", "χ"},
                                       {"psi", "ψ"},
                                       {"omega", "ω"},
                                       {"Gamma", "Γ"},
                                       {"Delta", "Δ"},
                                       {"Theta", "Θ"},
                                       {"Lambda", "Λ"},
                                       {"Xi", "Ξ"},
                                       {"Pi", "Π"},
                                       {"Sigma", "Σ"},
                                       {"Phi", "Φ"},
                                       {"Psi", "Ψ"},
                                       {"Omega", "Ω"},
                                       {"times", "×"},
                                       {"cdot", "·"},
                                       {"pm", "±"},
                                       {"leq", "≤"},
                                       {"le", "≤"},
                                       {"geq", "≥"},
                                       {"ge", "≥"},
                                       {"neq", "≠"},
                                       {"ne", "≠"},
                                       {"approx", "≈"},
                                       {"equiv", "≡"},
                                       {"sim", "∼"},
                                       {"propto", "∝"},
                                       {"infty", "∞"},
                                       {"partial", "∂"},
                                       {"nabla", "∇"},
                                       {"sum", "∑"},
                                       {"prod", "∏"},
                                       {"int", "∫"},
                                       {"oint", "∮"},
                                       {"sqrt", "√"},
                                       {"in", "∈"},
                                       {"notin", "∉"},
                                       {"subset", "⊂"},
                                       {"subseteq", "⊆"},
                                       {"cup", "∪"},
                                       {"cap", "∩"},
                                       {"emptyset", "∅"},
                                       {"forall", "∀"},
                                       {"exists", "∃"},
                                       {"to", "→"},
                                       {"rightarrow", "→"},
                                       {"leftarrow", "←"},
                                       {"Rightarrow", "⇒"},
                                       {"Leftarrow", "⇐"},
                                       {"leftrightarrow", "↔"},
                                       {"mapsto", "↦"},
                                       {"langle", "⟨"},
                                       {"rangle", "⟩"},
                                       {"hbar", "ℏ"},
                                       {"ell", "ℓ"},
                                       {"dagger", "†"},
                                       {"circ", "∘"},
                                       {"degree", "°"},
                                       {"ldots", "…"},
                                       {"dots", "…"},
                                       {"cdots", "⋯"},
                                       {"textellipsis", "…"},
                                       {"ss", "ß"},
                                       {"ae", "æ"},
                                       {"AE", "Æ"},
                                       {"oe", "œ"},
                                       {"OE", "Œ"},
                                       {"o", "ø"},
                                       {"O", "Ø"},
                                       {"aa", "å"},
                                       {"AA", "Å"},
                                       {"l", "ł"},
                                       {"L", "Ł"},
                                       {"i", "ı"},
                                       {"S", "§"},
                                       {"P", "¶"},
                                       {"copyright", "©"},
                                       {"pounds", "£"},
                                       {"euro", "€"},
                                       {"texteuro", "€"},
                                       {"textbackslash", "\\"},
                                       {"LaTeX", "LaTeX"},
                                       {"TeX", "TeX"},
                                       {"textendash", "–"},
                                       {"textemdash", "—"},
                                       {"textquotedbl", "\""},
                                       {"quad", " "},
                                       {"qquad", " "},
                                       {"hfill", " "},
                                       {"textasciitilde", "~"},
                                       {"textasciicircum", "^"},
                                       {"textbar", "|"},
                                       {"textless", "<"},
                                       {"textgreater", ">"},
                                       {"frac", ""},
                                       {"slash", "/"},
                                       {"neg", "¬"},
                                       {"wedge", "∧"},
                                       {"vee", "∨"},
                                       {"ll", "≪"},
                                       {"gg", "≫"},
                                       {"perp", "⊥"},
                                       {"parallel", "∥"}};

const char *latex_sign(struct str command)
{
    for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
        if (str_eq(command, str_c(signs[i][0])))
            return signs[i][1];
    return "";
}

uint32_t latex_accent(char accent, char letter)
{
    static const struct {
        const char *letters;
        uint16_t signs[14];
        char accent;
    } accents[] = {
        {"aeiouAEIOU",
         {0xe0, 0xe8, 0xec, 0xf2, 0xf9, 0xc0, 0xc8, 0xcc, 0xd2, 0xd9},
         '`'},
        {"aeiouyAEIOUYcn",
         {0xe1, 0xe9, 0xed, 0xf3, 0xfa, 0xfd, 0xc1, 0xc9, 0xcd, 0xd3, 0xda,
          0xdd, 0x107, 0x144},
         '\''},
        {"aeiouAEIOU",
         {0xe2, 0xea, 0xee, 0xf4, 0xfb, 0xc2, 0xca, 0xce, 0xd4, 0xdb},
         '^'},
        {"aeiouyAEIOU",
         {0xe4, 0xeb, 0xef, 0xf6, 0xfc, 0xff, 0xc4, 0xcb, 0xcf, 0xd6, 0xdc},
         '"'},
        {"anoANO", {0xe3, 0xf1, 0xf5, 0xc3, 0xd1, 0xd5}, '~'},
        {"cCsS", {0xe7, 0xc7, 0x15f, 0x15e}, 'c'},
        {"cszrneCSZR",
         {0x10d, 0x161, 0x17e, 0x159, 0x148, 0x11b, 0x10c, 0x160, 0x17d, 0x158},
         'v'},
        {"ouOU", {0x151, 0x171, 0x150, 0x170}, 'H'},
        {"auAU", {0xe5, 0x16f, 0xc5, 0x16e}, 'r'},
        {"agAG", {0x103, 0x11f, 0x102, 0x11e}, 'u'},
        {"aeiouAEIOU",
         {0x101, 0x113, 0x12b, 0x14d, 0x16b, 0x100, 0x112, 0x12a, 0x14c, 0x16a},
         '='},
        {"zZI", {0x17c, 0x17b, 0x130}, '.'},
        {"aeAE", {0x105, 0x119, 0x104, 0x118}, 'k'}};

    for (size_t i = 0; letter && i < sizeof(accents) / sizeof(accents[0]);
         i++) {
        const char *at = accents[i].accent == accent
                             ? strchr(accents[i].letters, letter)
                             : NULL;
        if (at)
            return accents[i].signs[at - accents[i].letters];
    }
    return 0;
}
