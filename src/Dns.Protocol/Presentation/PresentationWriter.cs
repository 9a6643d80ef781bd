using System.Buffers;

namespace Dns.Protocol.Presentation;

/// <summary>A buffering writer; the <see cref="IBufferWriter{T}"/> sees nothing before <see cref="Flush"/>.</summary>
internal ref struct PresentationWriter(IBufferWriter<byte> output)
{
    private readonly IBufferWriter<byte> _output = output;
    private Span<byte> _room;
    private int _used;

    /// <summary>Commits everything written to the buffer writer.</summary>
    public void Flush()
    {
        if (_used > 0) _output.Advance(_used);
        _room = default;
        _used = 0;
    }

    public void Write(byte octet)
    {
        if (_used == _room.Length) Grow(1);
        _room[_used++] = octet;
    }

    public void Write(scoped ReadOnlySpan<byte> text)
    {
        if (_room.Length - _used < text.Length) Grow(text.Length);
        text.CopyTo(_room[_used..]);
        _used += text.Length;
    }

    /// <summary>Writes a decimal number.</summary>
    public void Write(ulong number)
    {
        const int maxDigits = 20;
        if (_room.Length - _used < maxDigits) Grow(maxDigits);
        number.TryFormat(_room[_used..], out int digits);
        _used += digits;
    }

    /// <summary>Writes a lower-case hexadecimal number of at least <paramref name="minDigits"/> digits.</summary>
    public void WriteHex(uint number, int minDigits)
    {
        for (int shift = 28; shift >= 0; shift -= 4)
            if (shift < minDigits * 4 || number >> shift != 0) Write("0123456789abcdef"u8[(int)(number >> shift & 15)]);
    }

    /// <summary>Writes each octet as two upper-case hexadecimal digits.</summary>
    public void WriteHex(scoped ReadOnlySpan<byte> octets)
    {
        const int piece = 128;
        while (!octets.IsEmpty)
        {
            int length = Math.Min(octets.Length, piece);
            if (_room.Length - _used < length * 2) Grow(length * 2);
            Convert.TryToHexString(octets[..length], _room[_used..], out int digits);
            _used += digits;
            octets = octets[length..];
        }
    }

    /// <summary>Writes a name with its final dot.</summary>
    public void WriteName(scoped ReadOnlySpan<byte> name)
    {
        if (_room.Length - _used < NameText.MaxChars) Grow(NameText.MaxChars);
        _used += NameText.Format(name, _room[_used..]);
    }

    public void WriteIpv4(scoped ReadOnlySpan<byte> address)
    {
        if (_room.Length - _used < Ipv4Text.MaxChars) Grow(Ipv4Text.MaxChars);
        _used += Ipv4Text.Format(address, _room[_used..]);
    }

    public void WriteIpv6(scoped ReadOnlySpan<byte> address)
    {
        if (_room.Length - _used < Ipv6Text.MaxChars) Grow(Ipv6Text.MaxChars);
        _used += Ipv6Text.Format(address, _room[_used..]);
    }

    public void WriteType(RRType type)
    {
        if (_room.Length - _used < RRTypeText.MaxChars) Grow(RRTypeText.MaxChars);
        _used += RRTypeText.Format(type, _room[_used..]);
    }

    private void Grow(int octets)
    {
        Flush();
        _room = _output.GetSpan(Math.Max(octets, 256));
    }
}
