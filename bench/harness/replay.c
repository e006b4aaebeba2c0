// Runs a harness on each file of the folders that it is given, each in a process of its own, so
// that an input on which the library fails or hangs ends nothing but its own run.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void run(const char *path)
{
    static uint8_t bytes[1 << 20];
    FILE *file = fopen(path, "rb");
    if (!file)
        return;
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    pid_t child = fork();
    if (child == 0) {
        uint8_t *data = malloc(size ? size : 1);
        for (size_t i = 0; i < size; i++)
            data[i] = bytes[i];
        alarm(5);
        LLVMFuzzerTestOneInput(data, size);
        _exit(0);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
}

int main(int count, char **folders)
{
    for (int i = 1; i < count; i++) {
        DIR *folder = opendir(folders[i]);
        for (struct dirent *entry; folder && (entry = readdir(folder));) {
            char path[4096];
            if (entry->d_name[0] == '.')
                continue;
            snprintf(path, sizeof path, "%s/%s", folders[i], entry->d_name);
            run(path);
        }
        if (folder)
            closedir(folder);
    }
    return 0;
}
