// The sounds of alerts: synthesized, or a short file from the settings. Each note has layers with separate envelopes,
// and a short reverb. Browsers may refuse to play sounds before a click. OBS plays them.

/**
 * An instrument's layers: the frequency as a multiple of the note's, the loudness, the waveform, and the length as a
 * multiple of the note's.
 *
 * @type {Record<string, [number, number, OscillatorType, number][]>}
 */
const INSTRUMENTS = {
  bell: [[1, 0.3, "sine", 1], [2.76, 0.1, "sine", 0.55], [5.4, 0.045, "sine", 0.3]],
  pluck: [[1, 0.26, "triangle", 1], [2, 0.1, "sine", 0.6], [4, 0.05, "sine", 0.25]],
  brass: [[1, 0.09, "sawtooth", 1], [1.006, 0.08, "sawtooth", 1], [0.5, 0.12, "triangle", 1]],
  water: [[1, 0.36, "sine", 1], [1.5, 0.1, "triangle", 0.5]],
};
/**
 * The notes of each sound: the frequency in hertz, and the start and length in seconds.
 *
 * @type {Record<string, {instrument: string, attack: number, bend?: number, notes: [number, number, number][]}>}
 */
const SOUNDS = {
  chime: { instrument: "bell", attack: 0.004, notes: [[880, 0, 1.1], [1_318.5, 0.12, 1.2], [1_760, 0.24, 1.6]] },
  coin: { instrument: "pluck", attack: 0.002, notes: [[987.8, 0, 0.16], [1_318.5, 0.085, 0.65], [2_637, 0.085, 0.4]] },
  fanfare: {
    instrument: "brass",
    attack: 0.03,
    notes: [
      [523.3, 0, 0.2], [659.3, 0.15, 0.2], [784, 0.3, 0.22], [1_046.5, 0.46, 1.1], [784, 0.46, 1.1], [659.3, 0.46, 1.1],
    ],
  },
  drop: { instrument: "water", attack: 0.003, bend: 0.45, notes: [[760, 0, 0.18], [560, 0.13, 0.4]] },
};
const REVERB = 0.9;
const REVERB_LOUDNESS = 0.22;
const MAX_SPEECH_LENGTH = 200;

/** @type {AudioContext | null} */
let context = null;

/** Returns noise that fades within the reverb's length. @param {AudioContext} audio */
function impulse(audio) {
  const buffer = audio.createBuffer(2, REVERB * audio.sampleRate, audio.sampleRate);
  for (const channel of [0, 1]) {
    const samples = buffer.getChannelData(channel);
    for (let index = 0; index < samples.length; index += 1) {
      samples[index] = (Math.random() * 2 - 1) * (1 - index / samples.length) ** 3;
    }
  }
  return buffer;
}

/** @param {AudioContext} audio @param {number} volume */
function createOutput(audio, volume) {
  const gain = new GainNode(audio, { gain: volume });
  const reverb = new ConvolverNode(audio, { buffer: impulse(audio) });
  gain.connect(audio.destination);
  gain.connect(reverb).connect(new GainNode(audio, { gain: REVERB_LOUDNESS })).connect(audio.destination);
  return gain;
}

/**
 * Plays a rule's sound. Never fails: an alert without sound is better than none.
 *
 * @param {{sound: string, volume: number}} rule
 * @param {string | null} customSound
 */
export async function play({ sound, volume }, customSound) {
  try {
    if (sound === "none" || volume === 0 || (sound === "custom" && !customSound)) return;
    const audio = (context ??= new AudioContext());
    audio.resume().catch(() => {});
    if (sound === "custom") await playFile(audio, volume, customSound ?? "");
    else playNotes(audio, createOutput(audio, volume), SOUNDS[sound]);
  } catch {
    // The browser lacks audio, or the file is not a sound.
  }
}

/** @param {AudioContext} audio @param {number} volume @param {string} file A data URL. */
async function playFile(audio, volume, file) {
  const bytes = Uint8Array.from(atob(file.split(",")[1]), (letter) => letter.charCodeAt(0));
  const source = new AudioBufferSourceNode(audio, { buffer: await audio.decodeAudioData(bytes.buffer) });
  source.connect(new GainNode(audio, { gain: volume })).connect(audio.destination);
  source.start();
}

/** @param {AudioContext} audio @param {AudioNode} output @param {(typeof SOUNDS)[string]} sound */
function playNotes(audio, output, { instrument, attack, bend, notes }) {
  for (const [frequency, begin, length] of notes) {
    for (const [multiple, loudness, type, part] of INSTRUMENTS[instrument]) {
      const start = audio.currentTime + begin;
      const end = start + length * part;
      const oscillator = new OscillatorNode(audio, { frequency: frequency * multiple, type });
      if (bend) oscillator.frequency.exponentialRampToValueAtTime(frequency * multiple * bend, end);
      const envelope = new GainNode(audio, { gain: 0 });
      envelope.gain.setValueAtTime(0, start);
      envelope.gain.linearRampToValueAtTime(loudness, start + attack);
      envelope.gain.exponentialRampToValueAtTime(0.0008, end);
      oscillator.connect(envelope).connect(output);
      oscillator.start(start);
      oscillator.stop(end);
    }
  }
}

/**
 * Reads a text aloud if the browser has a voice.
 *
 * @param {string} text
 * @param {string} lang
 * @param {number} volume
 */
export function speak(text, lang, volume) {
  if (!text || !globalThis.speechSynthesis) return;
  const speech = new SpeechSynthesisUtterance(text.slice(0, MAX_SPEECH_LENGTH));
  Object.assign(speech, { lang, volume });
  speechSynthesis.speak(speech);
}

/** Stops all sounds and speech immediately. */
export function silence() {
  context?.close().catch(() => {});
  context = null;
  globalThis.speechSynthesis?.cancel?.();
}
