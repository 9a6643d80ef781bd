using System.Text;

namespace Dns.Hosting;

/// <summary>
/// Standard error where it leads to the systemd journal: each line begins with the priority of an error (sd-daemon(3)), so
/// that the reason why a server did not start is not taken for a message like any other. A line is written when it is
/// whole. Not safe for several threads at once; <see cref="Console.SetError"/> makes it so.
/// </summary>
internal sealed class JournalErrors(TextWriter target) : TextWriter
{
    private const string Prefix = "<3>";
    private readonly StringBuilder _line = new(Prefix);

    /// <inheritdoc/>
    public override Encoding Encoding => target.Encoding;

    /// <summary>Marks what this process writes to its standard error from now on, if the journal reads it.</summary>
    public static void Use()
    {
        if (JournalFormatter.IsJournal(descriptor: 2)) Console.SetError(new JournalErrors(Console.Error));
    }

    /// <inheritdoc/>
    public override void Write(char value)
    {
        _line.Append(value);
        if (value != '\n') return;
        target.Write(_line.ToString());
        _line.Clear().Append(Prefix);
    }
}
