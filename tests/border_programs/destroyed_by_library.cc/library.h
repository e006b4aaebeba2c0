struct Note {
    char text = 0;
    ~Note();
};
