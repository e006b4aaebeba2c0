static _Thread_local char *kept;

void keeps(char *text) { kept = text; }
int agrees(void) { return kept[0] != 'x'; }
