using Microsoft.Win32.SafeHandles;

namespace Dns.Zones.MasterFiles;

/// <content>$ORIGIN, $TTL and $INCLUDE.</content>
internal sealed partial class MasterFileReader
{
    private const int MaxIncludeDepth = 16;

    // Files that include their successors twice double the work at every depth.
    private const int MaxIncludes = 65_536;

    private sealed record SuspendedFile(string File, MasterFileScanner Scanner, ReaderContext Context);

    private readonly Stack<SuspendedFile> _suspended = [];
    private int _includes;

    private void ReadDirective(ReadOnlySpan<byte> text, ReadOnlySpan<TextToken> tokens)
    {
        ReadOnlySpan<byte> name = text.Slice(tokens[0].Offset, tokens[0].Length);
        if (Ascii.EqualsIgnoreCase(name, "$ORIGIN"u8)) ReadOrigin(text, tokens);
        else if (Ascii.EqualsIgnoreCase(name, "$TTL"u8)) ReadDefaultTtl(text, tokens);
        else if (Ascii.EqualsIgnoreCase(name, "$INCLUDE"u8)) ReadInclude(text, tokens);
        else if (Ascii.EqualsIgnoreCase(name, "$GENERATE"u8)) ReadGenerate(text, tokens);
        else Fail(text, tokens[0], "an owner, $ORIGIN, $TTL, $INCLUDE or $GENERATE");
    }

    private void ReadOrigin(ReadOnlySpan<byte> text, ReadOnlySpan<TextToken> tokens)
    {
        Span<byte> origin = stackalloc byte[WireName.MaxOctets];
        if (tokens.Length < 2) FailMissing(tokens, "a domain name");
        else if (IsLast(text, tokens, 1) && TryParseOrigin(text, tokens[1], origin, out int length))
            _context.SetOrigin(origin[..length]);
    }

    private bool TryParseOrigin(ReadOnlySpan<byte> text, TextToken token, Span<byte> origin, out int length)
    {
        ReadOnlySpan<byte> word = text.Slice(token.Offset, token.Length);
        if (LooksForRawNames) WarnIfRaw(text, token);
        NameTextError error = NameText.Parse(word, _context.Origin, origin, out length);
        return error == NameTextError.None || Fail(text, token, $"a domain name: {NameText.Describe(error)}");
    }

    private void ReadDefaultTtl(ReadOnlySpan<byte> text, ReadOnlySpan<TextToken> tokens)
    {
        if (tokens.Length < 2) FailMissing(tokens, "a TTL");
        else if (IsLast(text, tokens, 1) && TryParseTtl(text, tokens[1], out uint ttl)) _defaultTtl = ttl;
    }

    private void ReadInclude(ReadOnlySpan<byte> text, ReadOnlySpan<TextToken> tokens)
    {
        Span<byte> origin = stackalloc byte[WireName.MaxOctets];
        int originLength = 0;
        if (tokens.Length < 2) FailMissing(tokens, "the name of a file");
        else if (IsLast(text, tokens, 2)
            && (tokens.Length < 3 || TryParseOrigin(text, tokens[2], origin, out originLength)))
            Include(text, tokens[1], origin[..originLength]);
    }

    private void Include(ReadOnlySpan<byte> text, TextToken token, ReadOnlySpan<byte> origin)
    {
        string name = Encoding.UTF8.GetString(text.Slice(token.Offset, token.Length));
        string file = Path.Combine(Path.GetDirectoryName(File) ?? "", name);
        if (RefuseInclude(name, file) is { } refusal)
        {
            Fail(token, $"found $INCLUDE of {file}: {refusal}");
            return;
        }
        // An unreadable one is recorded too: when it appears, the zone is complete.
        _log.Include(file, At(token));
        try
        {
            if (MasterFileHandle.IsWithoutSize(file))
            {
                _log.Warn(At(token), $"found $INCLUDE of {file}: {MasterFileHandle.WithoutSize}");
                return;
            }
            SafeFileHandle handle = MasterFileHandle.Open(file, allowsPipe: false, out _);
            if (MasterFileHandle.IsPrivate(handle)) _log.Hide(file);
            var scanner = new MasterFileScanner(handle, _bufferOctets);
            _suspended.Push(new SuspendedFile(File, _scanner, _context));
            (_scanner, File) = (scanner, file);
        }
        catch (Exception exception) when (MasterFileHandle.IsFailure(exception))
        {
            Fail(token, $"found $INCLUDE of {file}: {MasterFileHandle.Describe(exception, file)}");
            return;
        }
        if (!origin.IsEmpty) _context.SetOrigin(origin);
    }

    private string? RefuseInclude(string name, string file)
    {
        if (name.Length == 0) return "expected the name of a file";
        if (_suspended.Count >= MaxIncludeDepth) return $"files are included more than {MaxIncludeDepth} deep";
        if (++_includes > MaxIncludes) return $"more than {MaxIncludes} files are included";
        string path = Path.GetFullPath(file);
        bool isOpen = Path.GetFullPath(File) == path || _suspended.Any(outer => Path.GetFullPath(outer.File) == path);
        return isOpen ? "the file includes itself" : null;
    }

    /// <summary>Returns to the line after the $INCLUDE, its origin and owner; false outside of one.</summary>
    private bool TryCloseInclude()
    {
        if (!_suspended.TryPop(out SuspendedFile? outer)) return false;
        _scanner.Dispose();
        (File, _scanner, _context) = (outer.File, outer.Scanner, outer.Context);
        _context.IsOwnerDelivered = false;
        return true;
    }

    private bool IsLast(ReadOnlySpan<byte> text, ReadOnlySpan<TextToken> tokens, int last) =>
        tokens.Length <= last + 1 || Fail(text, tokens[last + 1], "the end of the line");
}
