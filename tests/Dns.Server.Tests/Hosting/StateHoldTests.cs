using Dns.Server.Commands;
using Microsoft.Extensions.Logging;

namespace Dns.Server.Tests;

/// <summary>A state directory is of one server.</summary>
public sealed class StateHoldTests : ILogger<StateHold>, IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-hold-").FullName;
    private readonly List<string> _lines = [];
    private readonly StateHold _hold = new();

    public void Dispose()
    {
        _hold.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    private StateHold.Follower Follow(string? directory)
    {
        _hold.Directory = directory;
        return new StateHold.Follower(_hold, TimeProvider.System, this);
    }

    [Fact]
    public void A_directory_is_taken_when_it_has_been_made_until_the_end()
    {
        string state = Path.Combine(_folder, "state");
        using StateHold.Follower follower = Follow(state);
        Assert.False(follower.Look());
        Directory.CreateDirectory(state);
        Assert.True(follower.Look());
        Assert.Null(DirectoryLock.TryTake(state, out bool isOfAnother, out _));
        Assert.True(isOfAnother);
        Assert.True(follower.Look());
        _hold.Dispose();
        using DirectoryLock? free = DirectoryLock.TryTake(state, out _, out _);
        Assert.NotNull(free);
    }

    [Fact]
    public void A_missing_directory_is_made_for_its_owner_if_its_parent_is_there()
    {
        _hold.Directory = Path.Combine(_folder, "none", "state");
        _hold.Make();
        Assert.False(Directory.Exists(Path.GetDirectoryName(_hold.Directory)));
        _hold.Directory = Path.Combine(_folder, "state");
        _hold.Make();
        Assert.True(_hold.TryTake(out _));
        if (!OperatingSystem.IsWindows())
            Assert.Equal("rwx------", ModeOf(File.GetUnixFileMode(_hold.Directory)));
        _hold.Make();
    }

    private static string ModeOf(UnixFileMode mode) => mode == (
        UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute) ? "rwx------" : mode.ToString();

    [Theory]
    [InlineData(null, false, false, false)]
    [InlineData("auto", false, false, false)]
    [InlineData("auto", true, false, true)]
    [InlineData("auto", false, true, true)]
    [InlineData("state", false, false, true)]
    public void A_state_directory_is_made_where_it_is_named_or_needed(
        string? named, bool isSigned, bool isSecondary, bool expected)
    {
        ServerOptions options = OptionsOf(isSigned ? new ZonePolicy { Dnssec = "default" } : null, null) with
        {
            StateDirectory = named ?? "auto",
        };
        if (isSecondary)
            options = options with { Zones = [new ZoneOptions(default, null, null) { Role = ZoneRole.Secondary }] };
        Assert.Equal(expected, StateTrial.IsWanted(options));
    }

    [Theory]
    [InlineData("keys signed", true)]
    [InlineData("keys", false)]
    [InlineData("signed", false)]
    [InlineData("", false)]
    public void Keys_and_copies_that_cannot_be_read_prevent_a_start(string unreadable, bool expected)
    {
        ServerOptions options = OptionsOf(new ZonePolicy { Dnssec = "default" }, null);
        Assert.Null(StateTrial.FindUnknownSigning(options, _folder));
        Assert.Null(StateTrial.FindUnknownSigning(options, null));
        string? fault = StateTrial.FindUnknownSigning(
            options, _folder, folder => unreadable.Split(' ').Contains(Path.GetFileName(folder)));
        Assert.Equal(expected, fault is not null);
        if (expected)
            Assert.StartsWith($"{Path.Combine(_folder, "keys")} and {Path.Combine(_folder, "signed")} ", fault);
    }

    [Fact]
    public void Settings_that_sign_no_zone_start_without_keys_and_copies()
    {
        ZonePolicy signs = new() { Dnssec = "default" };
        Assert.Null(StateTrial.FindUnknownSigning(new ServerOptions(), _folder, _ => true));
        Assert.Null(StateTrial.FindUnknownSigning(OptionsOf(new ZonePolicy(), null), _folder, _ => true));
        ZoneTemplate template = new("signed") { Policy = signs };
        Assert.NotNull(StateTrial.FindUnknownSigning(OptionsOf(null, template), _folder, _ => true));
        Assert.NotNull(StateTrial.FindUnknownSigning(OptionsOf(new ZonePolicy(), template), _folder, _ => true));
        Directory.CreateDirectory(Path.Combine(_folder, "signed"));
        Assert.NotNull(StateTrial.FindUnknownSigning(new ServerOptions(), _folder, _ => true));
    }

    /// <summary>Settings with a zone, or a catalog of members with a template.</summary>
    private static ServerOptions OptionsOf(ZonePolicy? policy, ZoneTemplate? members) => new()
    {
        Zones = [new ZoneOptions(default, null, null) { Policy = policy, MemberTemplate = members }],
    };

    [Fact]
    public void A_directory_that_cannot_be_locked_is_logged_once()
    {
        Directory.CreateDirectory(Path.Combine(_folder, DirectoryLock.FileName));
        using StateHold.Follower follower = Follow(_folder);
        Assert.False(follower.Look());
        Assert.False(follower.Look());
        Assert.StartsWith($"State directory {_folder} cannot be locked, so that a second server with it would not be "
            + "noticed: ", Assert.Single(_lines));
    }

    [Fact]
    public void Without_a_directory_there_is_nothing_to_take()
    {
        using StateHold.Follower follower = Follow(null);
        Assert.True(follower.Look());
    }

    [Fact]
    public void A_directory_that_another_server_keeps_for_a_minute_is_logged_once_and_taken_when_it_ends()
    {
        using StateHold.Follower follower = Follow(_folder);
        using (DirectoryLock? other = DirectoryLock.TryTake(_folder, out _, out _))
        {
            for (int i = 1; i < 60; i++) Assert.False(follower.Look());
            Assert.Empty(_lines);
            for (int i = 0; i < 60; i++) Assert.False(follower.Look());
            Assert.Equal($"Another server uses state directory {_folder}, too", Assert.Single(_lines));
        }
        Assert.True(follower.Look());
    }

    IDisposable? ILogger.BeginScope<TState>(TState state) => null;

    bool ILogger.IsEnabled(LogLevel logLevel) => true;

    void ILogger.Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception,
        Func<TState, Exception?, string> formatter) => _lines.Add(formatter(state, exception));
}
