namespace Dns.Telemetry.Recording;

/// <summary>What people read of an answer: its question and flags.</summary>
public static class AnswerText
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
        if (!MessageReader.TryOpen(message, out MessageReader reader) ||
            !reader.TryReadQuestion(out QuestionReader question)) return;
        if (!question.TryGetName(out ReadOnlySpan<byte> octets)) return;
        (name, type, @class) =
            (NameText.ToText(octets), RRTypeText.Format(question.Type), RRClassText.Format(question.Class));
    }
}
