using System.Net.Sockets;
using System.Runtime.Versioning;

namespace Dns.Transport.Udp.Batched;

/// <summary>
/// The memory of one batched worker: 64 contiguous slots, each with its peer and control message, and the structures
/// that describe them to the kernel. Answers are written into the slots and sent from there. Used by one thread; freed
/// by <see cref="Dispose"/>.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed unsafe class MessageBatch : IDisposable
{
    /// <summary>The capacity of a batch in datagrams.</summary>
    public const int Capacity = 64;

    public const int NameOctets = 32;
    public const int ControlOctets = 64;
    public const int IPv4NameOctets = 16;
    public const int IPv6NameOctets = 28;

    private readonly int _socket;
    private readonly BatchCalls _calls;
    private readonly int _slotOctets;
    private readonly bool _isIPv6;
    private readonly bool _isWildcard;
    private ClientAddress _own;
    private byte* _memory;
    private byte* _slots;
    private byte* _names;
    private byte* _controls;
    private IoVector* _vectors;
    private BatchEntry* _entries;
    private int _used = Capacity;

    /// <param name="socket">A bound socket; must outlive the batch.</param>
    public MessageBatch(Socket socket, BatchCalls calls, int slotOctets)
    {
        IPEndPoint bound = (IPEndPoint)socket.LocalEndPoint!;
        _socket = (int)socket.SafeHandle.DangerousGetHandle();
        _calls = calls;
        _slotOctets = slotOctets;
        _isIPv6 = bound.AddressFamily == AddressFamily.InterNetworkV6;
        _isWildcard = UdpAdmission.IsWildcard(bound.Address);
        _own = ClientAddress.From(bound);
        Allocate();
    }

    /// <summary>The datagrams and later their answers.</summary>
    public Span<byte> Memory => new(_slots, Capacity * _slotOctets);

    /// <summary>Where each slot starts.</summary>
    public int[] Offsets { get; } = new int[Capacity];

    /// <summary>The entries for the kernel.</summary>
    public BatchEntry* Entries => _entries;

    /// <summary>Waits for a datagram, at most for the socket's timeout, and receives as many as have arrived.</summary>
    /// <returns>1 to 64; -1 on an error, which is the last P/Invoke error.</returns>
    public int Receive()
    {
        // The kernel has overwritten only the entries that it returned.
        for (int i = 0; i < _used; i++)
        {
            ref SocketMessageHeader header = ref _entries[i].Header;
            header.NameOctets = _isIPv6 ? (uint)IPv6NameOctets : IPv4NameOctets;
            header.Vectors->Octets = (nuint)_slotOctets;
            header.Control = _isWildcard ? _controls + i * ControlOctets : null;
            header.ControlOctets = _isWildcard ? (nuint)ControlOctets : 0;
        }
        // MSG_TRUNC returns the length of the datagram even if the slot is shorter.
        int count = _calls.Receive(
            _socket, _entries, Capacity, LinuxSocketCalls.MsgWaitForOne | LinuxSocketCalls.MsgTrunc);
        _used = Math.Max(count, 0);
        return count;
    }

    /// <summary>Copies lengths and peers; those never answered get length 0. Returns their number.</summary>
    public int Read(Span<int> lengths, Span<ClientAddress> clients)
    {
        int refused = 0;
        for (int i = 0; i < lengths.Length; i++)
        {
            ReadName(i, ref clients[i]);
            bool admitted = !_isWildcard || PacketInfo.TryPrepareReply(Control(i), ref _own);
            if (!admitted || UdpAdmission.Refuses(clients[i], _own))
            {
                refused++;
                lengths[i] = 0;
                _entries[i].Header.NameOctets = 0;
            }
            else
            {
                lengths[i] = (int)Math.Min(_entries[i].Octets, (uint)_slotOctets + 1);
            }
        }
        return refused;
    }

    /// <summary>Whether <see cref="Read"/> found this datagram unanswerable.</summary>
    public bool IsRefused(int index) => _entries[index].Header.NameOctets == 0;

    /// <summary>Sets the length of an answer for the kernel.</summary>
    public void SetLength(int index, int octets) => _vectors[index].Octets = (nuint)octets;

    /// <summary>Truncates an answer to a size that fits any path; false if it is no longer than that.</summary>
    public bool TryTruncate(int index)
    {
        Span<byte> answer = new(_vectors[index].Base, (int)_vectors[index].Octets);
        int octets = TruncatedReply.Write(answer, answer);
        bool isShorter = octets > 0 && octets < answer.Length;
        if (isShorter) SetLength(index, octets);
        return isShorter;
    }

    /// <summary>The peer in the kernel's layout.</summary>
    public ReadOnlySpan<byte> Name(int index) => new(_names + index * NameOctets, IPv6NameOctets);

    /// <summary>The control message of a datagram; empty on a concrete address.</summary>
    public Span<byte> Control(int index) =>
        new(_entries[index].Header.Control, (int)_entries[index].Header.ControlOctets);

    public ReplyPath PathOf(int index, IReplySender sink, in ClientAddress client)
    {
        ClientAddress local = default;
        uint localScope = _isWildcard ? PacketInfo.ReadLocal(Control(index), ref local) : 0;
        return new ReplyPath(sink, client, _slotOctets, DnsTransport.Udp)
        {
            ClientScope = _isIPv6 ? BinaryPrimitives.ReadUInt32LittleEndian(Name(index)[24..]) : 0,
            Local = local,
            LocalScope = localScope,
        };
    }

    public void Dispose()
    {
        NativeMemory.AlignedFree(_memory);
        _memory = null;
    }

    private void Allocate()
    {
        nuint slots = (nuint)(Capacity * _slotOctets + 63) & ~(nuint)63;
        nuint all = slots + Capacity * (NameOctets + ControlOctets)
            + (nuint)(Capacity * (sizeof(IoVector) + sizeof(BatchEntry)));
        _memory = (byte*)NativeMemory.AlignedAlloc(all, 64);
        NativeMemory.Clear(_memory, all);
        _slots = _memory;
        _names = _slots + slots;
        _controls = _names + Capacity * NameOctets;
        _vectors = (IoVector*)(_controls + Capacity * ControlOctets);
        _entries = (BatchEntry*)(_vectors + Capacity);
        for (int i = 0; i < Capacity; i++)
        {
            Offsets[i] = i * _slotOctets;
            _vectors[i].Base = _slots + Offsets[i];
            _entries[i].Header.Name = _names + i * NameOctets;
            _entries[i].Header.Vectors = _vectors + i;
            _entries[i].Header.VectorCount = 1;
        }
    }

    private void ReadName(int index, ref ClientAddress client)
    {
        ReadOnlySpan<byte> name = Name(index);
        client.Port = BinaryPrimitives.ReadUInt16BigEndian(name[2..]);
        if (_isIPv6)
        {
            client.SetIPv6(name.Slice(8, 16));
        }
        else
        {
            client.SetIPv4(name.Slice(4, 4));
        }
    }
}
