/** Numbers, times and lengths of time in a given language; pure. */
import type { Language } from '../state/choices.ts'
import type { Texts } from './en.ts'
import { localeOf } from './locale.ts'

export interface Format {
  number(value: number): string
  /** `1 h 12 min`, `3 d 4 h`, `40 s`: the two largest units, rounded down. */
  duration(ms: number): string
  /** `16:40` today, `Thu 07:00` within six days, `1 Dec` after that. */
  soon(atMs: number, nowMs: number): string
  /** `1 Dec 2026`. */
  day(atMs: number): string
  /** Date and time in full, for tooltips. */
  full(atMs: number): string
  /** `512 MB`. */
  bytes(count: number): string
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

export function format(language: Language, ui: Texts['ui']): Format {
  const locale = localeOf[language]
  const number = new Intl.NumberFormat(locale)
  const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' })
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short' })
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })
  const wholeDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' })
  const full = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' })
  const decimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  return {
    number: (value) => number.format(value),
    duration(ms) {
      const whole = Math.max(0, ms)
      const days = Math.floor(whole / dayMs)
      const hours = Math.floor((whole % dayMs) / hourMs)
      const minutes = Math.floor((whole % hourMs) / minuteMs)
      if (days > 0) return hours === 0 ? ui.days(days) : `${ui.days(days)} ${ui.hours(hours)}`
      if (hours > 0) return minutes === 0 ? ui.hours(hours) : `${ui.hours(hours)} ${ui.minutes(minutes)}`
      return minutes > 0 ? ui.minutes(minutes) : ui.seconds(Math.floor(whole / 1_000))
    },
    soon(atMs, nowMs) {
      const at = new Date(atMs)
      if (at.toDateString() === new Date(nowMs).toDateString()) return clock.format(at)
      if (Math.abs(atMs - nowMs) < 6 * dayMs) return `${weekday.format(at)} ${clock.format(at)}`
      return day.format(at)
    },
    day: (atMs) => wholeDay.format(atMs),
    full: (atMs) => full.format(atMs),
    bytes(count) {
      const units = ['B', 'kB', 'MB', 'GB']
      const step = Math.min(units.length - 1, count < 1 ? 0 : Math.floor(Math.log(count) / Math.log(1024)))
      return `${decimal.format(count / 1024 ** step)} ${units[step]}`
    },
  }
}
