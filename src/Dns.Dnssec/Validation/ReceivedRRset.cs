namespace Dns.Dnssec.Validation;

/// <summary>An RRset of a message with the RRSIG records that cover it.</summary>
internal sealed class ReceivedRRset(MessageSection section, byte[] owner, RRType type)
{
    internal MessageSection Section => section;

    /// <summary>The owner in lower case.</summary>
    internal byte[] Owner => owner;

    internal RRType Type => type;

    internal List<byte[]> Rdata { get; } = [];

    internal List<byte[]> Signatures { get; } = [];

    /// <summary>The signer of the first readable signature; null if there is none.</summary>
    internal byte[]? Signer
    {
        get
        {
            foreach (byte[] signature in Signatures)
                if (RrsigFields.TryRead(signature, out RrsigFields fields)) return fields.Signer.ToArray();
            return null;
        }
    }

    public override string ToString() => $"{RRTypeText.Format(type)} at {NameText.ToText(owner)}";
}
