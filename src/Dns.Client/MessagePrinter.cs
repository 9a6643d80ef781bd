namespace Dns.Client;

/// <summary>Prints a reply in the manner of dig.</summary>
public sealed class MessagePrinter(TextWriter output)
{
    private static readonly string[] Sections = ["QUESTION", "ANSWER", "AUTHORITY", "ADDITIONAL"];

    private static readonly (ushort Bit, string Name)[] Flags =
    [
        (MessageHeader.QueryResponse, "qr"), (MessageHeader.AuthoritativeAnswer, "aa"), (MessageHeader.Truncated, "tc"),
        (MessageHeader.RecursionDesired, "rd"), (MessageHeader.RecursionAvailable, "ra"),
        (MessageHeader.AuthenticData, "ad"), (MessageHeader.CheckingDisabled, "cd"),
    ];

    /// <summary>Prints everything; returns whether the reply is well-formed.</summary>
    public bool Print(QueryReply reply)
    {
        bool isWhole = Print(reply.Message);
        output.WriteLine($";; Query time: {reply.Elapsed.TotalMilliseconds:0.###} msec");
        output.WriteLine($";; SERVER: {reply.Server} ({(reply.IsTcp ? "TCP" : "UDP")})");
        output.WriteLine($";; MSG SIZE  rcvd: {reply.Message.Length}");
        return isWhole;
    }

    /// <summary>Prints the records of a message of a transfer, and of one that is an error all of it.</summary>
    public void PrintTransferred(QueryReply reply)
    {
        List<MessageRecord> records = [];
        MessageRecords.TryRead(reply.Message, [], records);
        bool isError = (MessageHeader.Flags(reply.Message) & MessageHeader.RcodeMask) != 0;
        if (isError) Print(reply.Message);
        else PrintRecords(records.Where(record => record.Section == MessageSection.Answer));
    }

    /// <summary>Prints what a transfer came to.</summary>
    public void PrintEnd(QueryTransfer transfer)
    {
        output.WriteLine($";; Query time: {transfer.Last.Elapsed.TotalMilliseconds:0.###} msec");
        output.WriteLine($";; SERVER: {transfer.Last.Server} (TCP)");
        output.WriteLine(
            $";; XFR size: {transfer.Records} records (messages {transfer.Messages}, bytes {transfer.Octets})");
    }

    /// <summary>Prints a message; returns whether it is well-formed.</summary>
    public bool Print(byte[] message)
    {
        List<string> questions = [];
        List<MessageRecord> records = [];
        bool isWhole = MessageRecords.TryRead(message, questions, records);
        MessageRecord? opt = records.Find(record => record.Type == RRType.OPT);
        PrintHeader(message, opt);
        if (opt is not null) PrintEdns(opt);
        if (questions.Count > 0)
        {
            output.WriteLine(";; QUESTION SECTION:");
            foreach (string question in questions) output.WriteLine(";" + question);
            output.WriteLine();
        }
        for (MessageSection section = MessageSection.Answer; section <= MessageSection.Additional; section++)
            PrintSection(section, records);
        if (!isWhole) output.WriteLine(";; WARNING: the reply is malformed, this is what could be read of it");
        return isWhole;
    }

    /// <summary>Prints the RDATA of the answer, one a line; returns whether the reply is well-formed.</summary>
    public bool PrintShort(QueryReply reply)
    {
        List<MessageRecord> records = [];
        bool isWhole = MessageRecords.TryRead(reply.Message, [], records);
        foreach (MessageRecord record in records)
            if (record.Section == MessageSection.Answer) output.WriteLine(record.Text);
        return isWhole;
    }

    private void PrintHeader(byte[] message, MessageRecord? opt)
    {
        ushort flags = MessageHeader.Flags(message);
        // The upper eight bits of the RCODE stand in OPT (RFC 6891 §6.1.3).
        Rcode rcode = (Rcode)(flags & MessageHeader.RcodeMask | (int)((opt?.Ttl ?? 0) >> 24 << 4));
        output.WriteLine($";; ->>HEADER<<- opcode: {OpcodeText.Format(MessageHeader.OpcodeOf(flags))}, "
            + $"status: {RcodeText.Format(rcode)}, id: {MessageHeader.Id(message)}");
        string set = string.Join(' ', Flags.Where(flag => (flags & flag.Bit) != 0).Select(flag => flag.Name));
        output.WriteLine($";; flags: {set}; QUERY: {MessageHeader.Count(message, 0)}, "
            + $"ANSWER: {MessageHeader.Count(message, 1)}, AUTHORITY: {MessageHeader.Count(message, 2)}, "
            + $"ADDITIONAL: {MessageHeader.Count(message, 3)}");
        output.WriteLine();
    }

    private void PrintSection(MessageSection section, List<MessageRecord> records)
    {
        bool isFirst = true;
        foreach (MessageRecord record in records)
        {
            if (record.Section != section || record.Type == RRType.OPT) continue;
            if (isFirst) output.WriteLine($";; {Sections[(int)section]} SECTION:");
            isFirst = false;
            PrintRecords([record]);
        }
        if (!isFirst) output.WriteLine();
    }

    private void PrintRecords(IEnumerable<MessageRecord> records)
    {
        foreach (MessageRecord record in records)
            output.WriteLine($"{record.Owner}\t{record.Ttl}\t{RRClassText.Format(record.Class)}\t"
                + $"{RRTypeText.Format(record.Type)}\t{record.Text}");
    }

    private void PrintEdns(MessageRecord opt)
    {
        output.WriteLine(";; OPT PSEUDOSECTION:");
        string dnssec = (opt.Ttl & OptReader.DnssecOkFlag) != 0 ? " do" : "";
        output.WriteLine($"; EDNS: version: {opt.Ttl >> 16 & 0xFF}, flags:{dnssec}; udp: {(ushort)opt.Class}");
        EdnsOptionReader options = new(opt.Rdata);
        while (options.TryRead()) PrintOption(options.Code, options.Data);
        if (!options.IsAtEnd) output.WriteLine("; an option runs past the end of the record");
    }

    private void PrintOption(EdnsOptionCode code, ReadOnlySpan<byte> value)
    {
        string name = code switch
        {
            EdnsOptionCode.Nsid => "NSID",
            EdnsOptionCode.ExtendedError => "EDE",
            _ => Enum.IsDefined(code) ? code.ToString() : $"OPT{(ushort)code}",
        };
        string text = code switch
        {
            EdnsOptionCode.ExtendedError when value.Length >= 2 => FormatError(value),
            EdnsOptionCode.Nsid => $"{Convert.ToHexString(value)} (\"{Printable(value)}\")",
            EdnsOptionCode.TcpKeepalive when value.Length == 2 =>
                $"{BinaryPrimitives.ReadUInt16BigEndian(value) / 10.0:0.0} s",
            EdnsOptionCode.Expire when value.Length == 4 => $"{BinaryPrimitives.ReadUInt32BigEndian(value)} s",
            _ => Convert.ToHexString(value),
        };
        output.WriteLine($"; {name}: {text}");
    }

    private static string FormatError(ReadOnlySpan<byte> value)
    {
        ExtendedErrorCode code = (ExtendedErrorCode)BinaryPrimitives.ReadUInt16BigEndian(value);
        string name = Enum.IsDefined(code) ? $" ({code})" : "";
        return $"{(ushort)code}{name}{(value.Length > 2 ? $": \"{Printable(value[2..])}\"" : "")}";
    }

    /// <summary>What a terminal can be trusted with.</summary>
    private static string Printable(ReadOnlySpan<byte> octets)
    {
        StringBuilder text = new(octets.Length);
        foreach (byte octet in octets) text.Append(octet is >= 0x20 and < 0x7F ? (char)octet : '.');
        return text.ToString();
    }
}
