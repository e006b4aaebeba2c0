// What a letter is.
int is_letter(int c);
