using System.Text;
using Dns.Protocol;

namespace Dns.Server;

/// <summary>What people read of an answer: its question and flags.</summary>
internal static class AnswerText
{
    /// <summary>The flags, such as <c>qr+aa+rd</c>.</summary>
    public static string FlagsOf(ReadOnlySpan<byte> message)
    {
        int flags = MessageHeader.Flags(message);
        StringBuilder text = new("qr");
        if ((flags & MessageHeader.AuthoritativeAnswer) != 0) text.Append("+aa");
        if ((flags & MessageHeader.Truncated) != 0) text.Append("+tc");
        if ((flags & MessageHeader.RecursionDesired) != 0) text.Append("+rd");
        if ((flags & MessageHeader.RecursionAvailable) != 0) text.Append("+ra");
        if ((flags & MessageHeader.AuthenticData) != 0) text.Append("+ad");
        return text.ToString();
    }

    /// <summary>The question; a header alone has none, which is shown as dashes.</summary>
    public static void ReadQuestion(ReadOnlySpan<byte> message, out string name, out string type, out string @class)
    {
        (name, type, @class) = ("-", "-", "-");
        int end = MessageHeader.LengthOctets;
        if (MessageHeader.Count(message, 0) == 0 || !WireName.TrySkip(message, ref end) || end + 4 > message.Length
            || !WireName.IsValid(message[MessageHeader.LengthOctets..end])) return;
        name = NameText.ToText(message[MessageHeader.LengthOctets..end]);
        type = RRTypeText.Format((RRType)(message[end] << 8 | message[end + 1]));
        @class = RRClassText.Format((RRClass)(message[end + 2] << 8 | message[end + 3]));
    }
}
