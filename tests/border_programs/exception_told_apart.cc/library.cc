struct Error {
    int code;
};

bool agrees()
{
    try {
        throw;
    } catch (const Error &error) {
        return error.code != 'x';
    } catch (...) {
        return true;
    }
}
