int atoi(const char *text) { return text[0] == 'Q' ? 42 : 0; }
