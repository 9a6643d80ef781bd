namespace Dns.Zones.MasterFiles;

/// <content>$GENERATE: its lines are generated and read one at a time.</content>
internal sealed partial class MasterFileReader
{
    // A reverse zone of a whole /8. All directives of a file share the bounds, so that no file fills the memory.
    private const long MaxGeneratedLines = 1 << 24;
    private const long MaxGeneratedOctets = 1L << 32;

    private GenerateDirective? _generate;
    private long _generatedLines;
    private long _generatedOctets;
    private MasterFileScanner? _generatedText;
    private ReaderContext _beforeGenerate;

    private void ReadGenerate(ReadOnlySpan<byte> text, ReadOnlySpan<TextToken> tokens)
    {
        GenerateFault fault = GenerateDirective.Parse(text, tokens, out GenerateDirective? generate, out int at);
        if (generate is null)
        {
            if (at < tokens.Length) Fail(text, tokens[at], MasterFileText.Expected(fault));
            else FailMissing(tokens, MasterFileText.Expected(fault));
            return;
        }
        if (_generatedLines + generate.LinesLeft > MaxGeneratedLines)
        {
            Fail(tokens[1],
                $"found a range of {generate.LinesLeft} lines, expected at most {MaxGeneratedLines} in a zone");
            return;
        }
        _generatedLines += generate.LinesLeft;
        _generate = generate;
        _beforeGenerate = _context;
        _generatedText ??= new MasterFileScanner();
    }

    private bool TryReadGenerated()
    {
        GenerateDirective generate = _generate!;
        int errors = _log.ErrorCount;
        if (!generate.IsAtEnd)
        {
            TextToken at = generate.Directive;
            if (!generate.TryWriteNext(out long counter))
                Fail(at, $"found {counter} for the counter, expected a number from 0 to {int.MaxValue}");
            else if ((_generatedOctets += generate.Text.Length) > MaxGeneratedOctets)
                Fail(at, $"$GENERATE made more than {MaxGeneratedOctets >> 30} GiB of text");
            else if (TryReadGenerated(generate, at)) return true;
        }
        // The next line would probably fail in the same way.
        if (generate.IsAtEnd || _log.ErrorCount > errors) EndGenerate();
        return false;
    }

    private bool TryReadGenerated(GenerateDirective generate, TextToken at)
    {
        MasterFileScanner scanner = _generatedText!;
        scanner.SetText(generate.Text, at.Line);
        if (scanner.Next() != ScanResult.Line || scanner.Tokens.Length < 2)
            return Fail(at, $"$GENERATE made \"{MasterFileText.Show(generate.Text)}\", expected a record");
        ReadOnlySpan<byte> text = scanner.Text;
        ReadOnlySpan<TextToken> tokens = scanner.Tokens;
        return TrySetOwner(text, tokens[0]) && TryReadRecord(text, tokens, 1);
    }

    private void EndGenerate()
    {
        _generate = null;
        _context = _beforeGenerate;
        _context.IsOwnerDelivered = false;
    }
}
