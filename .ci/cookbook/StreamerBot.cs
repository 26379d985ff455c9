// Runs an action like Streamer.bot. `CPH` stands in for its host, with the arguments of a cheer.

using System;
using System.Collections.Generic;

public static class CPH
{
    private static readonly Dictionary<string, object> Arguments = new Dictionary<string, object> {
        { "userId", "streamer-bot-1" }, { "user", "Cleo" }, { "bits", 300 }, { "message", "A \"quoted\" Cheer300" }, { "msgId", "message-1" },
    };

    public static bool TryGetArg<T>(string name, out T value)
    {
        object found;
        bool exists = Arguments.TryGetValue(name, out found);
        value = exists ? (T)found : default(T);
        return exists;
    }

    public static T GetGlobalVar<T>(string name, bool isPersisted)
    {
        if (name != "eventCaptureToken" || !isPersisted) throw new ArgumentException(name);
        return (T)(object)Environment.GetEnvironmentVariable("EVENT_CAPTURE_TOKEN");
    }

    public static void LogError(string text) { Console.Error.WriteLine(text); }

    public static int Main() { return new CPHInline().Execute() ? 0 : 1; }
}
