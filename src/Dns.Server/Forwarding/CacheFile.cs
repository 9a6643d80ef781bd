using Dns.Forwarding;
using Microsoft.Extensions.Logging;

namespace Dns.Server;

/// <summary>
/// Keeps the cache in a file while the server is stopped. No fault of the file keeps the server from starting or stopping.
/// </summary>
internal sealed class CacheFile(string path, Forwarder forwarder, TimeProvider clock, ILogger<CacheFile> logger)
{
    private const string OfAnotherKind = "it is another kind of file";

    /// <summary>Loads what was saved; says so, or why it cannot be used.</summary>
    public void Load()
    {
        try
        {
            if (!File.Exists(path)) return;
            using FileStream file = File.OpenRead(path);
            if (forwarder.Cache.TryLoad(file, clock.GetUtcNow(), out int entries, out string? fault, forwarder.Origin))
                logger.CacheLoaded(Counted.Of(entries, "answer"), path);
            else
                logger.CacheNotUsed(path, fault);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            logger.CacheNotUsed(path, error.Message);
        }
    }

    /// <summary>Says at the start that nothing can be kept there, and not only when the cache is lost.</summary>
    public void Try()
    {
        try
        {
            if (!OwnFile.MayBeReplaced(path, AnswerCache.FileMark)) throw new IOException(OfAnotherKind);
            // Not the name that is saved under: a server that this one takes over from may be writing there.
            using FileStream trial = new(path + ".try", FileMode.Create, FileAccess.Write, FileShare.None, 1, FileOptions.DeleteOnClose);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            logger.CacheCannotBeKept(path, error.Message);
        }
    }

    /// <summary>Half a file is of no use, and takes room where there may be none.</summary>
    private static void Delete(string aside)
    {
        try
        {
            File.Delete(aside);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // Then it could not be made either.
        }
    }

    /// <summary>Saves beside the old file and puts the new one in its place, so that there is always a whole one.</summary>
    public void Save()
    {
        string aside = path + ".new";
        try
        {
            if (!OwnFile.MayBeReplaced(path, AnswerCache.FileMark)) throw new IOException(OfAnotherKind);
            int entries;
            using (FileStream file = File.Create(aside)) entries = forwarder.Cache.Save(file, clock.GetUtcNow(), forwarder.Origin);
            File.Move(aside, path, overwrite: true);
            logger.CacheKept(Counted.Of(entries, "answer"), path);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            logger.CacheNotKept(path, error.Message);
            Delete(aside);
        }
    }
}
