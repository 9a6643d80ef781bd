using System.Buffers;
using System.Buffers.Text;

namespace Dns.Zones.MasterFiles;

/// <summary>Prints the records of a master file in canonical presentation form, one a line.</summary>
public static partial class ZoneDump
{
    private const int FlushOctets = 32 << 10;

    /// <summary>
    /// Writes every record as <c>owner TTL CLASS TYPE RDATA</c>, in file order: a plain parse that needs no SOA, and
    /// keeps duplicates, records out of the zone and every TTL and class.
    /// </summary>
    /// <param name="origin">The origin until the first <c>$ORIGIN</c>.</param>
    /// <param name="generic">Whether to write the RDATA as <c>\# LENGTH HEX</c> (RFC 3597 §5).</param>
    /// <param name="output">Receives ASCII text with LF; stays open. Its exceptions are passed on.</param>
    /// <param name="diagnostics">Receives the errors; valid records are written nevertheless.</param>
    /// <returns>The exit code: 0, or 1 if there was an error.</returns>
    public static int Write(
        DomainName origin, string file, bool generic, Stream output, ICollection<ZoneDiagnostic> diagnostics)
    {
        var log = new DiagnosticLog(showsAll: true);
        if (MasterFileReader.TryOpen(origin.Octets, file, log, out MasterFileReader? reader, ofCommand: true))
        {
            using (reader) Write(reader, generic, output);
        }
        foreach (ZoneDiagnostic diagnostic in log.ToList())
            if (diagnostic.Severity == Severity.Error) diagnostics.Add(diagnostic);
        return log.ErrorCount > 0 ? 1 : 0;
    }

    private static void Write(MasterFileReader reader, bool generic, Stream output)
    {
        var lines = new ArrayBufferWriter<byte>(2 * FlushOctets);
        while (reader.Read())
        {
            // APL is the one type whose text may be empty.
            bool hasText = generic || reader.Type != RRType.APL || !reader.Rdata.IsEmpty;
            WritePrefix(reader.Owner, reader.Ttl, reader.Class, reader.Type, hasText, lines);
            if (generic) Rdata.FormatGeneric(reader.Rdata, lines);
            else Rdata.Format(reader.Type, reader.Rdata, lines);
            lines.Write("\n"u8);
            if (lines.WrittenCount < FlushOctets) continue;
            output.Write(lines.WrittenSpan);
            lines.ResetWrittenCount();
        }
        output.Write(lines.WrittenSpan);
        output.Flush();
    }

    private static void WritePrefix(
        ReadOnlySpan<byte> owner, uint ttl, RRClass rrClass, RRType type, bool endsInBlank,
        ArrayBufferWriter<byte> lines)
    {
        // 10 digits of TTL, CLASS65535, TYPE65535 and the blanks take less than 64.
        Span<byte> line = lines.GetSpan(NameText.MaxChars + 64);
        int length = NameText.Format(owner, line);
        line[length++] = (byte)' ';
        Utf8Formatter.TryFormat(ttl, line[length..], out int written);
        length += written;
        line[length++] = (byte)' ';
        length += RRClassText.Format(rrClass, line[length..]);
        line[length++] = (byte)' ';
        length += RRTypeText.Format(type, line[length..]);
        if (endsInBlank) line[length++] = (byte)' ';
        lines.Advance(length);
    }
}
