namespace Dns.Zones.MasterFiles;

/// <summary>
/// Origin and owner, which one record of a master file passes to the next. Copied where <c>$INCLUDE</c> or
/// <c>$GENERATE</c> begins, and restored at its end (RFC 1035 §5.1).
/// </summary>
internal struct ReaderContext
{
    [InlineArray(WireName.MaxOctets)]
    private struct NameBuffer
    {
        private byte _first;
    }

    [InlineArray(WireName.MaxOctets)]
    private struct TextBuffer
    {
        private byte _first;
    }

    private NameBuffer _origin;
    private NameBuffer _owner;
    private TextBuffer _ownerText;
    private int _originLength;
    private int _ownerLength;
    private int _ownerTextLength;

    /// <summary>Creates a context without owner.</summary>
    public ReaderContext(ReadOnlySpan<byte> origin) => SetOrigin(origin);

    /// <summary>Whether a record with this owner was returned.</summary>
    public bool IsOwnerDelivered;

    public bool IsOwnerBroken;

    /// <summary>Whether there is an owner to inherit.</summary>
    public readonly bool HasOwner => _ownerLength > 0;

    [System.Diagnostics.CodeAnalysis.UnscopedRef]
    public readonly ReadOnlySpan<byte> Origin => ((ReadOnlySpan<byte>)_origin)[.._originLength];

    /// <summary>The owner in wire form; empty if there is none.</summary>
    [System.Diagnostics.CodeAnalysis.UnscopedRef]
    public readonly ReadOnlySpan<byte> Owner => ((ReadOnlySpan<byte>)_owner)[.._ownerLength];

    /// <summary>Sets the origin; the same text then no longer means the same owner.</summary>
    public void SetOrigin(ReadOnlySpan<byte> origin)
    {
        origin.CopyTo(_origin);
        _originLength = origin.Length;
        _ownerTextLength = -1;
    }

    /// <summary>Whether this is exactly the text of the last owner.</summary>
    public readonly bool IsOwnerText(ReadOnlySpan<byte> text) =>
        text.Length == _ownerTextLength && text.SequenceEqual(((ReadOnlySpan<byte>)_ownerText)[..text.Length]);

    public NameTextError SetOwner(ReadOnlySpan<byte> text)
    {
        NameTextError error = NameText.Parse(text, Origin, _owner, out _ownerLength);
        if (error != NameTextError.None) return error;
        _ownerTextLength = -1;
        if (text.Length <= WireName.MaxOctets)
        {
            text.CopyTo(_ownerText);
            _ownerTextLength = text.Length;
        }
        IsOwnerDelivered = IsOwnerBroken = false;
        return NameTextError.None;
    }

    /// <summary>Clears the owner after an invalid one.</summary>
    public void BreakOwner()
    {
        _ownerLength = 0;
        _ownerTextLength = -1;
        IsOwnerBroken = true;
    }
}
