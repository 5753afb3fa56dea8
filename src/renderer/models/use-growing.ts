/** Shows a long list in portions: the next one as soon as the end of what is there comes near. */
import { useCallback, useRef, useState } from 'react'

export function useGrowing(total: number, portion: number) {
  const [count, setCount] = useState(portion)
  const observer = useRef<IntersectionObserver | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: observed anew after each portion
  const end = useCallback(
    (element: HTMLElement | null) => {
      observer.current?.disconnect()
      if (element === null) return
      observer.current = new IntersectionObserver(
        (entries) => {
          if (entries.some(({ isIntersecting }) => isIntersecting)) setCount((shown) => shown + portion)
        },
        { rootMargin: '600px' },
      )
      observer.current.observe(element)
    },
    [count, portion],
  )
  return { count: Math.min(count, total), end }
}
