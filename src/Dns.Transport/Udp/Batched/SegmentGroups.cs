using System.Runtime.Versioning;

namespace Dns.Transport.Udp.Batched;

/// <summary>
/// Groups answers of a batch with equal peer, local address and length, so that the kernel takes each group as one
/// message and splits it (UDP_SEGMENT, Linux 4.18). Reads the batch, writes entries of its own.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed unsafe class SegmentGroups : IDisposable
{
    private const int Capacity = MessageBatch.Capacity;
    private const int Buckets = 128;
    private const int None = 0xFF;

    // The kernel's limits: the length of an IPv4 datagram, and UDP_MAX_SEGMENTS.
    private const int MostOctets = 65_507;
    private const int MostSegments = 64;

    private const int SegmentControlOctets = 24;
    private const int SegmentControlLength = 18;
    private const int LevelUdp = 17;
    private const int TypeSegment = 103;
    private const int ControlOctets = MessageBatch.ControlOctets + SegmentControlOctets;

    private readonly MessageBatch _batch;
    private readonly byte[] _firstOfBucket = new byte[Buckets];
    private readonly byte[] _nextInBucket = new byte[Capacity];
    private readonly byte[] _groupOf = new byte[Capacity];
    private readonly byte[] _sizes = new byte[Capacity];
    private readonly byte[] _starts = new byte[Capacity];
    private readonly byte[] _leaders = new byte[Capacity];
    private readonly byte[] _members = new byte[Capacity];
    private byte* _memory;
    private readonly BatchEntry* _entries;
    private readonly IoVector* _vectors;
    private readonly byte* _controls;

    public SegmentGroups(MessageBatch batch)
    {
        _batch = batch;
        nuint bytes = (nuint)(Capacity * (sizeof(BatchEntry) + sizeof(IoVector) + ControlOctets));
        _memory = (byte*)NativeMemory.AlignedAlloc(bytes, 64);
        NativeMemory.Clear(_memory, bytes);
        _entries = (BatchEntry*)_memory;
        _vectors = (IoVector*)(_entries + Capacity);
        _controls = (byte*)(_vectors + Capacity);
    }

    /// <summary>The number of groups, each one entry.</summary>
    public int Count { get; private set; }

    /// <summary>The entries for the kernel.</summary>
    public BatchEntry* Entries => _entries;

    /// <summary>The batch indexes of a group's answers.</summary>
    public ReadOnlySpan<byte> MembersOf(int group) => _members.AsSpan(_starts[group], _sizes[group]);

    /// <summary>Groups the answers. False if too few can be grouped to pay.</summary>
    public bool TryGroup(ReadOnlySpan<int> lengths)
    {
        int answers = Assign(lengths);
        // One message saved in eight pays for the grouping.
        if (Count * 8 > answers * 7) return false;
        Arrange(lengths);
        return true;
    }

    public void Dispose()
    {
        NativeMemory.AlignedFree(_memory);
        _memory = null;
    }

    private int Assign(ReadOnlySpan<int> lengths)
    {
        _firstOfBucket.AsSpan().Fill(None);
        Count = 0;
        int answers = 0;
        for (int i = 0; i < lengths.Length; i++)
        {
            _groupOf[i] = None;
            if (lengths[i] > 0)
            {
                answers++;
                _groupOf[i] = FindOrAdd(i, lengths);
            }
        }
        return answers;
    }

    private byte FindOrAdd(int index, ReadOnlySpan<int> lengths)
    {
        ReadOnlySpan<byte> name = _batch.Name(index);
        uint hash = (MemoryMarshal.Read<uint>(name) ^ MemoryMarshal.Read<uint>(name[4..])
            ^ MemoryMarshal.Read<uint>(name[20..]) ^ (uint)lengths[index] << 16) * 0x9E3779B1;
        ref byte first = ref _firstOfBucket[hash >> 25];
        for (byte group = first; group != None; group = _nextInBucket[group])
        {
            int leader = _leaders[group];
            int segments = _sizes[group] + 1;
            if (lengths[leader] == lengths[index] && segments <= MostSegments
                && segments * lengths[index] <= MostOctets
                && _batch.Name(leader).SequenceEqual(name)
                && _batch.Control(leader).SequenceEqual(_batch.Control(index)))
            {
                _sizes[group]++;
                return group;
            }
        }
        byte added = (byte)Count++;
        _leaders[added] = (byte)index;
        _sizes[added] = 1;
        _nextInBucket[added] = first;
        first = added;
        return added;
    }

    private void Arrange(ReadOnlySpan<int> lengths)
    {
        int start = 0;
        for (int group = 0; group < Count; group++)
        {
            _starts[group] = (byte)start;
            start += _sizes[group];
            FillEntry(group, lengths[_leaders[group]]);
            _sizes[group] = 0;
        }
        for (int i = 0; i < lengths.Length; i++)
        {
            int group = _groupOf[i];
            if (group != None)
            {
                int index = _starts[group] + _sizes[group]++;
                _members[index] = (byte)i;
                _vectors[index].Base = _batch.Entries[i].Header.Vectors->Base;
                _vectors[index].Octets = (nuint)lengths[i];
            }
        }
    }

    private void FillEntry(int group, int octets)
    {
        ref SocketMessageHeader header = ref _entries[group].Header;
        header = _batch.Entries[_leaders[group]].Header;
        header.Vectors = _vectors + _starts[group];
        header.VectorCount = _sizes[group];
        if (_sizes[group] == 1) return;
        byte* control = _controls + group * ControlOctets;
        Span<byte> local = _batch.Control(_leaders[group]);
        local.CopyTo(new Span<byte>(control, local.Length));
        byte* segment = control + local.Length;
        *(nuint*)segment = SegmentControlLength;
        *(int*)(segment + 8) = LevelUdp;
        *(int*)(segment + 12) = TypeSegment;
        *(ushort*)(segment + 16) = (ushort)octets;
        header.Control = control;
        header.ControlOctets = (nuint)(local.Length + SegmentControlOctets);
    }
}
