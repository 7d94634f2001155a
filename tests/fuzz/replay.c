/* replay.c - runs a fuzz target on stored inputs, as an ordinary test.
 *
 *     replay-json tests/fuzz/corpus/json
 *
 * Each input has a process of its own, so one that crashes is named and the
 * others still run.  A folder without inputs is a failure. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { INPUT_BYTES_MAX = 1024 * 1024, LIMIT_S = 60 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static int only_files(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

/* In a child: a hang ends by the alarm, a short read by the exit code. */
static _Noreturn void run_one(const char *path)
{
    uint8_t *data = malloc(INPUT_BYTES_MAX);
    FILE *f = fopen(path, "rb");
    if (!data || !f) {
        perror(path);
        exit(1);
    }
    size_t n = fread(data, 1, INPUT_BYTES_MAX, f);
    fclose(f);
    /* Exactly n bytes, so that a sanitizer sees one byte too far. */
    uint8_t *exact = realloc(data, n ? n : 1);
    alarm(LIMIT_S);
    LLVMFuzzerTestOneInput(exact, n);
    free(exact);
    exit(0);
}

static int passes(const char *path)
{
    int status = 1;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0)
        run_one(path);
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return 0;
    if (status != 0)
        printf("FAIL %s\n", path);
    return status == 0;
}

static int replay(const char *folder, int *passed)
{
    struct dirent **names;
    int n = scandir(folder, &names, only_files, alphasort);
    if (n <= 0) {
        printf("FAIL %s has no inputs\n", folder);
        return 1;
    }
    int failed = 0;
    for (int i = 0; i < n; i++) {
        char path[1024];
        snprintf(path, sizeof(path), "%s/%s", folder, names[i]->d_name);
        if (passes(path))
            ++*passed;
        else
            failed++;
        free(names[i]);
    }
    free(names);
    return failed;
}

int main(int argc, char **argv)
{
    int passed = 0, failed = 0;
    for (int i = 1; i < argc; i++)
        failed += replay(argv[i], &passed);
    printf("%d passed, %d failed\n", passed, failed);
    return failed == 0 && passed > 0 ? 0 : 1;
}
