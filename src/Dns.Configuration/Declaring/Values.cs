using System.Text.Json.Nodes;

namespace Dns.Configuration.Declaring;

/// <summary>The kinds of values of settings. Another kind is a <see cref="SettingValue{V}"/> of your own.</summary>
public static class Values
{
    /// <summary>The longest text in octets of UTF-8: a character-string of a record (RFC 1035 §3.3).</summary>
    public const int MaxTextOctets = 255;

    /// <summary>The most members of an object with members of any name.</summary>
    private const int MaxNamed = 10_000;

    /// <summary>true or false.</summary>
    public static SettingValue<bool> Flag { get; } = new("boolean", "true or false", "`true` or `false`",
        (node, _, _, out value) => bool.TryParse(node.Value, out value),
        value => value);

    /// <summary>A share: a number from 0 to 1.</summary>
    public static SettingValue<double> Fraction { get; } = new SettingValue<double>(
        "number", "a number from 0 to 1, such as 0.01", "number, 0 to 1",
        (node, _, _, out value) =>
            double.TryParse(node.Value, NumberStyles.Float, CultureInfo.InvariantCulture, out value) &&
            value is >= 0 and <= 1, value => value).Limit("minimum", 0).Limit("maximum", 1);

    /// <summary>Text that fits into one character-string of a record, or null.</summary>
    public static SettingValue<string?> Text { get; } = new SettingValue<string?>(
        "string null", $"text of 1 to {MaxTextOctets} octets, or null",
        $"text of 1 to {MaxTextOctets} octets, or `null`",
        (node, _, _, out value) =>
            (value = node.Value) is { Length: > 0 } && Encoding.UTF8.GetByteCount(value) <= MaxTextOctets, Write)
        .Limit("minLength", 1).Limit("maxLength", MaxTextOctets);

    /// <summary>The path of a file, relative to the settings file, or null.</summary>
    public static SettingValue<string?> FilePath { get; } = new SettingValue<string?>(
        "string null", "the path of a file, or null", "path, or `null`", (node, _, binder, out value) =>
            (value = node.Value is { Length: > 0 } file && !file.Contains('\0') ? binder.Resolve(file) : null)
            is not null, Write).Limit("minLength", 1);

    /// <summary>An address of HTTP, or null.</summary>
    public static SettingValue<Uri?> Url { get; } = new("string null",
        "an address such as http://127.0.0.1:4318, or null", "HTTP address, or `null`",
        (node, _, _, out value) =>
            Uri.TryCreate(node.Value, UriKind.Absolute, out value) && value.Scheme is "http" or "https", Write);

    /// <summary>A list of networks, each <c>ADDRESS/LENGTH</c> or an address for itself alone.</summary>
    public static SettingValue<IReadOnlyList<IPNetwork>> Networks { get; } =
        ListOf<IPNetwork>(ClientsSetting.Expected, ClientsSetting.Read);

    /// <summary>A whole number within bounds.</summary>
    /// <param name="unit">What it counts, in the plural.</param>
    public static SettingValue<int> Number(int least, int most, string unit) => new SettingValue<int>(
        "integer", $"a whole number of {unit} from {least} to {most}", $"whole number of {unit}, {least} to {most}",
        (node, _, _, out value) =>
            int.TryParse(node.Value, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out value) &&
            value >= least && value <= most, value => value).Limit("minimum", least).Limit("maximum", most);

    /// <summary>A time up to a limit: seconds, or numbers with units such as <c>90s</c> and <c>1w2d</c>.</summary>
    public static SettingValue<TimeSpan> Time(TimeSpan most) => new("integer string",
        $"a time up to {DurationText.Format(most)}: seconds, or a number with s, m, h, d or w such as \"3h\"",
        $"time up to {DurationText.Format(most)}",
        (node, _, _, out value) =>
            DurationText.TryParse(node.Value!, out value) && value <= most, value => DurationText.Format(value));

    /// <summary>An amount of memory: bytes, a number with K, M or G, or with % of the server's memory.</summary>
    public static SettingValue<long> Memory(long least, long most) =>
        Size(least, most, "an amount of memory", "\"256M\" or \"25%\"", takesPart: true);

    /// <summary>A number of octets, perhaps with K, M or G.</summary>
    /// <param name="of">What they are of, such as <c>a transfer</c>.</param>
    public static SettingValue<long> Octets(long least, long most, string of) =>
        Size(least, most, "octets of " + of, "\"256M\"", takesPart: false);

    private static SettingValue<long> Size(long least, long most, string what, string example, bool takesPart)
    {
        string from = SizeText.Format(least), to = SizeText.Format(most);
        return new("integer string", $"{what} from {from} to {to}, such as {example}", $"size, {from} to {to}",
            (node, _, _, out value) =>
                SizeText.TryParse(node.Value!, takesPart, out value) && value >= least && value <= most,
            value => SizeText.Format(value));
    }

    /// <summary>One of the names of an enum, in small letters.</summary>
    public static SettingValue<V> Choice<V>() where V : struct, Enum =>
        Choice([.. Enum.GetValues<V>().Select(value => (value.ToString().ToLowerInvariant(), value))]);

    /// <summary>One of several words.</summary>
    /// <param name="choices">The words, and what they stand for.</param>
    /// <param name="describe">Describes a word of other servers, for the message.</param>
    public static SettingValue<V> Choice<V>(
        IReadOnlyList<(string Word, V Value)> choices, Func<string, string?>? describe = null)
    {
        string[] words = [.. choices.Select(choice => choice.Word)];
        string expected = "one of " + string.Join(", ", words);
        return new SettingValue<V>("string", expected, $"one of `{string.Join("`, `", words)}`",
            (node, path, binder, out value) =>
            {
                foreach (var (word, meant) in choices)
                    if (word.Equals(node.Value, StringComparison.OrdinalIgnoreCase))
                    {
                        value = meant;
                        return true;
                    }
                if (describe?.Invoke(node.Value!) is { } foreign) binder.Expect(node, path, $"{expected}; {foreign}");
                value = default;
                return false;
            }, value => choices.First(choice => Equals(choice.Value, value)).Word)
            .Limit("enum", Json(words));
    }

    /// <summary>A list of values.</summary>
    /// <param name="expected">What a message expects in place of what is no list.</param>
    /// <param name="element">What an element may be.</param>
    public static SettingValue<IReadOnlyList<V>> ListOf<V>(string expected, SettingValue<V> element) =>
        ListOf<V>(expected, (child, path, binder, values) =>
        {
            if (element.TryRead(child, path, binder, out V value)) values.Add(value);
        }).Limit("items", element.Schema());

    /// <summary>A list whose elements are read one by one.</summary>
    /// <param name="expected">What a message expects in place of what is no list.</param>
    /// <param name="read">Reads an element.</param>
    /// <param name="check">Checks the list, when its elements are read.</param>
    /// <param name="takesText">Whether an element may be text in place of an object.</param>
    /// <param name="objects">The objects that an element may be; without any it is text.</param>
    public static SettingValue<IReadOnlyList<V>> ListOf<V>(
        string expected, ElementReader<V> read, ElementReader<V>? check = null, bool takesText = false,
        params IReadOnlyList<SettingsSection> objects) => ListOf(expected, (list, path, binder) =>
        {
            List<V> values = new(list.Children.Count);
            foreach (SettingNode element in list.Children) read(element, $"{path}:{element.Name}", binder, values);
            check?.Invoke(list, path, binder, values);
            return (IReadOnlyList<V>)values;
        }, takesText, objects);

    /// <summary>A list that is read by a function, which reports what is wrong with each element.</summary>
    /// <param name="expected">What a message expects in place of what is no list.</param>
    /// <param name="takesText">Whether an element may be text in place of an object.</param>
    /// <param name="objects">The objects that an element may be; without any it is text.</param>
    public static SettingValue<IReadOnlyList<V>> ListOf<V>(
        string expected, Func<SettingNode, string, SettingsBinder, IReadOnlyList<V>> read, bool takesText = false,
        params IReadOnlyList<SettingsSection> objects) => new("array", expected,
            objects.Count == 0 ? "list of text" : takesText ? "list of text or objects" : "list of objects",
        (node, path, binder, out value) =>
        {
            value = read(node, path, binder);
            return true;
        }, values => Json([.. values.Select(value => value!.ToString()!)]))
    {
        Objects = objects, TakesTextOrObjects = takesText,
    };

    /// <summary>An object with members of any name, each an object that is read by a function.</summary>
    /// <param name="expected">What a message expects in place of what is no object.</param>
    /// <param name="plural">What a message calls the members.</param>
    /// <param name="of">What the settings of a member are of, for a message.</param>
    /// <param name="read">Reads a member; null to leave it out.</param>
    /// <param name="member">The settings of a member.</param>
    public static SettingValue<IReadOnlyDictionary<string, V>> Named<V>(string expected, string plural, string of,
        Func<SettingNode, string, SettingsBinder, V?> read, SettingsSection member) where V : class =>
        new("object", expected, "object with members of any name", (node, path, binder, out value) =>
        {
            Dictionary<string, V> members = new(StringComparer.OrdinalIgnoreCase);
            value = members;
            if (node.Children.Count > MaxNamed)
                binder.Report(node, $"{path} has {node.Children.Count} {plural}: expected at most {MaxNamed}");
            foreach (SettingNode child in node.Children)
            {
                string childPath = path + ":" + child.Name;
                if (child.Kind != SettingKind.Section)
                    binder.Expect(child, childPath, "an object with settings of " + of);
                else if (read(child, childPath, binder) is { } named) members[child.Name] = named;
            }
            return true;
        }, _ => new JsonObject()) { Objects = [member] };

    /// <summary>A list of text as JSON, for an example.</summary>
    public static JsonArray Json(params string[] elements) => [.. elements.Select(element => (JsonNode)element)];

    private static JsonNode? Write(object? value) => value?.ToString();
}
