using System.Buffers;
using System.Buffers.Text;

namespace Dns.Protocol.Presentation;

/// <summary>Octets in base 64 with padding (RFC 4648 §4), which master files may break into several tokens.</summary>
internal static class Base64Text
{
    // The value of an octet as a digit; -1 if it is none.
    private static readonly sbyte[] Values = MakeValues();

    /// <summary>A strict decoder fed token by token: padding is required and ends it, and its bits are zero.</summary>
    public ref struct Decoder(Span<byte> destination)
    {
        private readonly Span<byte> _destination = destination;
        private uint _bits;
        private int _digitCount;
        private int _paddingCount;

        public int Written { get; private set; }

        /// <summary>Whether a whole number of four-digit groups was read.</summary>
        public readonly bool IsComplete => _digitCount == 0;

        /// <summary>Decodes the next token.</summary>
        /// <returns>False on a foreign character, misplaced padding, hidden bits, or a full destination.</returns>
        public bool TryAdd(scoped ReadOnlySpan<byte> text)
        {
            if (_digitCount == 0 && _paddingCount == 0 && text.Length > 4)
            {
                // The last group is decoded separately, with its padding.
                int whole = (text.Length - 1) / 4 * 4;
                OperationStatus status = Base64.DecodeFromUtf8(
                    text[..whole], _destination[Written..], out int consumed, out int written, isFinalBlock: false);
                if (status != OperationStatus.Done || consumed != whole || written != whole / 4 * 3) return false;
                Written += written;
                text = text[whole..];
            }
            foreach (byte octet in text)
                if (!TryAdd(octet)) return false;
            return true;
        }

        private bool TryAdd(byte octet)
        {
            int digit = Values[octet];
            if (octet == (byte)'=')
            {
                if (_digitCount < 2) return false;
                _paddingCount++;
                digit = 0;
            }
            else if (digit < 0 || _paddingCount > 0)
            {
                return false;
            }
            _bits = _bits << 6 | (uint)digit;
            return ++_digitCount < 4 || TryFlush();
        }

        private bool TryFlush()
        {
            int octets = 3 - _paddingCount;
            uint hidden = _bits & ((1u << (_paddingCount * 8)) - 1);
            if (hidden != 0 || _destination.Length - Written < octets) return false;
            for (int i = 0; i < octets; i++) _destination[Written++] = (byte)(_bits >> (16 - i * 8));
            _bits = 0;
            _digitCount = 0;
            return true;
        }
    }

    /// <summary>Writes one unbroken run of digits with its padding.</summary>
    public static void Write(ReadOnlySpan<byte> octets, ref PresentationWriter writer)
    {
        const int chunk = 192, digits = 4 * (chunk / 3);
        Span<byte> text = stackalloc byte[digits];
        for (int i = 0; i < octets.Length; i += chunk)
        {
            ReadOnlySpan<byte> part = octets.Slice(i, Math.Min(chunk, octets.Length - i));
            Base64.EncodeToUtf8(part, text, out _, out int written);
            writer.Write(text[..written]);
        }
    }

    private static sbyte[] MakeValues()
    {
        ReadOnlySpan<byte> digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"u8;
        sbyte[] values = new sbyte[256];
        values.AsSpan().Fill(-1);
        for (int i = 0; i < digits.Length; i++) values[digits[i]] = (sbyte)i;
        return values;
    }
}
