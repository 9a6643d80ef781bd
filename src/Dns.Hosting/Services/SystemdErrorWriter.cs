namespace Dns.Hosting.Services;

/// <summary>
/// Standard error into the systemd journal: each line begins with the priority of an error (sd-daemon(3)), so that the
/// reason of a failed start is not logged as an ordinary message. Lines are written whole. Not thread-safe; <see
/// cref="Console.SetError"/> makes it so.
/// </summary>
public sealed class SystemdErrorWriter(TextWriter target) : TextWriter
{
    private const string Prefix = "<3>";
    private readonly StringBuilder _line = new(Prefix);

    public override Encoding Encoding => target.Encoding;

    /// <summary>Marks the standard error of this process from now on, if the journal reads it.</summary>
    public static void Use()
    {
        if (SystemdFormatter.IsJournal(descriptor: 2)) Console.SetError(new SystemdErrorWriter(Console.Error));
    }

    public override void Write(char value)
    {
        _line.Append(value);
        if (value != '\n') return;
        target.Write(_line.ToString());
        _line.Clear().Append(Prefix);
    }
}
