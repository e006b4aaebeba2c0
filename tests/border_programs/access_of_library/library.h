struct both {
    char name[16];
    char *other;
};

int access(const struct both *both);
