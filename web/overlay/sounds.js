// The sounds of alerts: synthesized, or one short file of the settings. Browsers may refuse to play them before a
// click. OBS plays them.

/** The notes of each sound: the frequency in hertz, its begin and its length in seconds, and its wave. */
const NOTES = {
  chime: [[880, 0, 0.5, "sine"], [1_318.5, 0.12, 0.7, "sine"], [1_760, 0.24, 0.9, "sine"]],
  coin: [[987.8, 0, 0.09, "square"], [1_318.5, 0.09, 0.4, "square"]],
  fanfare: [[523.3, 0, 0.16, "sawtooth"], [659.3, 0.16, 0.16, "sawtooth"], [784, 0.32, 0.16, "sawtooth"], [1_046.5, 0.48, 0.7, "sawtooth"]],
  drop: [[660, 0, 0.12, "triangle"], [330, 0.1, 0.3, "triangle"]],
};
/** The volume of a wave: those with many overtones sound louder. */
const LOUDNESS = { sine: 0.5, triangle: 0.5, square: 0.16, sawtooth: 0.14 };
const MAX_SPEECH_LENGTH = 200;

let context = null;

function createOutput(volume) {
  context ??= new AudioContext();
  context.resume().catch(() => {});
  const gain = new GainNode(context, { gain: volume });
  gain.connect(context.destination);
  return gain;
}

/** Plays the sound of a rule. Never fails: an alert without a sound is better than none. */
export async function play({ sound, volume }, customSound) {
  try {
    if (sound === "none" || volume === 0) return;
    const gain = createOutput(volume);
    if (sound === "custom") {
      if (!customSound) return;
      const bytes = Uint8Array.from(atob(customSound.split(",")[1]), (letter) => letter.charCodeAt(0));
      const source = new AudioBufferSourceNode(context, { buffer: await context.decodeAudioData(bytes.buffer) });
      source.connect(gain);
      source.start();
      return;
    }
    for (const [frequency, begin, length, type] of NOTES[sound]) {
      const start = context.currentTime + begin;
      const note = new OscillatorNode(context, { frequency, type });
      const fade = new GainNode(context, { gain: 0 });
      fade.gain.setValueAtTime(LOUDNESS[type], start);
      fade.gain.exponentialRampToValueAtTime(0.001, start + length);
      note.connect(fade).connect(gain);
      note.start(start);
      note.stop(start + length);
    }
  } catch {
    // The browser has no audio, or the file is no sound.
  }
}

/** Reads a text aloud, where the browser has a voice. */
export function speak(text, lang, volume) {
  if (!text || !globalThis.speechSynthesis) return;
  const speech = new SpeechSynthesisUtterance(text.slice(0, MAX_SPEECH_LENGTH));
  Object.assign(speech, { lang, volume });
  speechSynthesis.speak(speech);
}
