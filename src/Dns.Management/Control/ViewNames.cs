namespace Dns.Management.Control;

/// <summary>The views of the server by name, as commands have them.</summary>
public static class ViewNames
{
    /// <summary>The view of a name.</summary>
    /// <exception cref="ControlException">There is none; the message names those that are there.</exception>
    public static View Find(ViewSet views, string name) => views.Find(name) ?? throw new ControlException(
        $"there is no view \"{name}\": expected {string.Join(", ", views.All.Select(view => view.Name))}");
}
