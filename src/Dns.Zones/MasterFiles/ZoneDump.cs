using System.Buffers;
using System.Buffers.Text;

namespace Dns.Zones.MasterFiles;

/// <summary>Prints the records of a master file, or of a zone, in canonical presentation form, one a line.</summary>
public static partial class ZoneDump
{
    private const int FlushOctets = 32 << 10;

    /// <summary>Writes the zone that would be served from a file, or nothing if it has an error.</summary>
    /// <param name="apex">The name of the zone, and the origin until the first <c>$ORIGIN</c>.</param>
    /// <param name="generic">Whether to write the RDATA as <c>\# LENGTH HEX</c> (RFC 3597 §5).</param>
    /// <param name="output">Receives ASCII text with LF; stays open. Its exceptions are passed on.</param>
    /// <param name="diagnostics">Receives errors and warnings.</param>
    /// <returns>The exit code: 0, or 1 if there was an error.</returns>
    public static int Write(
        DomainName apex, string file, bool generic, Stream output, ICollection<ZoneDiagnostic> diagnostics)
    {
        ZoneLoadResult result = ZoneLoader.Load(apex, file, ofCommand: true);
        foreach (ZoneDiagnostic diagnostic in result.Diagnostics) diagnostics.Add(diagnostic);
        if (result.Zone is null) return 1;
        Write(result.Zone, output, generic: generic);
        return 0;
    }

    /// <summary>
    /// Writes every record as <c>owner TTL CLASS TYPE RDATA</c>, in file order: a plain parse that needs no SOA, and
    /// keeps duplicates, records out of the zone and every TTL and class.
    /// </summary>
    /// <param name="origin">The origin until the first <c>$ORIGIN</c>.</param>
    /// <param name="generic">Whether to write the RDATA as <c>\# LENGTH HEX</c> (RFC 3597 §5).</param>
    /// <param name="output">Receives ASCII text with LF; stays open. Its exceptions are passed on.</param>
    /// <param name="diagnostics">Receives the errors; valid records are written nevertheless.</param>
    /// <returns>The exit code: 0, or 1 if there was an error.</returns>
    public static int WriteRaw(
        DomainName origin, string file, bool generic, Stream output, ICollection<ZoneDiagnostic> diagnostics)
    {
        var log = new DiagnosticLog(showsAll: true);
        if (MasterFileReader.TryOpen(origin.Octets, file, log, out MasterFileReader? reader, ofCommand: true))
        {
            using (reader) WriteRaw(reader, generic, output);
        }
        foreach (ZoneDiagnostic diagnostic in log.ToList())
            if (diagnostic.Severity == Severity.Error) diagnostics.Add(diagnostic);
        return log.ErrorCount > 0 ? 1 : 0;
    }

    private static void WriteRaw(MasterFileReader reader, bool generic, Stream output)
    {
        var lines = new ArrayBufferWriter<byte>(2 * FlushOctets);
        while (reader.Read())
        {
            WriteRecord(reader.Owner, reader.Ttl, reader.Class, reader.Type, reader.Rdata, generic, lines);
            Flush(lines, output);
        }
        output.Write(lines.WrittenSpan);
        output.Flush();
    }

    private static void Flush(ArrayBufferWriter<byte> lines, Stream output)
    {
        if (lines.WrittenCount < FlushOctets) return;
        output.Write(lines.WrittenSpan);
        lines.ResetWrittenCount();
    }

    private static void WriteRecord(
        ReadOnlySpan<byte> owner, uint ttl, RRClass rrClass, RRType type, ReadOnlySpan<byte> rdata, bool generic,
        ArrayBufferWriter<byte> lines)
    {
        // APL is the one type whose text may be empty.
        bool hasText = generic || type != RRType.APL || !rdata.IsEmpty;
        WritePrefix(owner, ttl, rrClass, type, hasText, lines);
        if (generic) Rdata.FormatGeneric(rdata, lines);
        else Rdata.Format(type, rdata, lines);
        lines.Write("\n"u8);
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
