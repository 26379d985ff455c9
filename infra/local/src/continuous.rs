//! Runs a single request without returning to Tokio's queue.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::task::{Context, Poll, Wake, Waker};

use futures_util::task::AtomicWaker;

/// Maximum number of polls in a row. More would keep other tasks waiting.
const MAX_POLLS: usize = 8;

/// Number of futures that are running.
pub(crate) static RUNNING: AtomicUsize = AtomicUsize::new(0);

/// Runs a future. While it is the only one, polls it again at once if it was woken while it was polled, as by each call
/// of the embedded table. Tokio would put its task into the queue and wake another thread to take it from there, which
/// costs more than most calls. With several requests, the queue is better: their writes are committed together.
pub(crate) async fn continuous<F: Future>(running: &AtomicUsize, future: F) -> F::Output {
    let _running = Running::start(running);
    Continuous { future: pin!(future), running, wakes: Arc::default() }.await
}

/// Counts a future while it runs.
struct Running<'a>(&'a AtomicUsize);

impl<'a> Running<'a> {
    fn start(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, SeqCst);
        Self(count)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, SeqCst);
    }
}

struct Continuous<'a, F> {
    future: Pin<&'a mut F>,
    running: &'a AtomicUsize,
    wakes: Arc<Wakes>,
}

#[derive(Default)]
struct Wakes {
    is_polling: AtomicBool,
    was_woken: AtomicBool,
    task: AtomicWaker,
}

impl Wake for Wakes {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.was_woken.store(true, SeqCst);
        if !self.is_polling.load(SeqCst) {
            self.task.wake();
        }
    }
}

impl<F: Future> Future for Continuous<'_, F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let waker = Waker::from(Arc::clone(&self.wakes));
        self.wakes.task.register(context.waker());
        self.wakes.is_polling.store(true, SeqCst);
        let polls = if self.running.load(SeqCst) == 1 { MAX_POLLS } else { 1 };
        for _ in 0..polls {
            self.wakes.was_woken.store(false, SeqCst);
            if let Poll::Ready(output) = self.future.as_mut().poll(&mut Context::from_waker(&waker)) {
                return Poll::Ready(output);
            }
            if !self.wakes.was_woken.load(SeqCst) {
                break;
            }
        }
        self.wakes.is_polling.store(false, SeqCst);
        // A wake since the last poll has not reached the task.
        if self.wakes.was_woken.load(SeqCst) {
            context.waker().wake_by_ref();
        }
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Counts the wakes of a task.
    #[derive(Default)]
    struct Count(AtomicUsize);

    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, SeqCst);
        }
    }

    /// Is pending this many times, and wakes its task each time.
    async fn yields(mut times: usize) {
        std::future::poll_fn(|context| {
            if times == 0 {
                return Poll::Ready(());
            }
            times -= 1;
            context.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
    }

    #[test]
    fn a_future_that_yields_a_few_times_ends_without_a_wake_of_its_task() {
        let count = Arc::new(Count::default());
        let waker = Waker::from(Arc::clone(&count));
        let running = AtomicUsize::new(0);
        let mut future = pin!(continuous(&running, yields(MAX_POLLS - 1)));
        assert!(future.as_mut().poll(&mut Context::from_waker(&waker)).is_ready());
        assert_eq!((count.0.load(SeqCst), running.load(SeqCst)), (0, 0));
    }

    #[test]
    fn a_future_that_is_not_alone_yields_to_others() {
        let count = Arc::new(Count::default());
        let waker = Waker::from(Arc::clone(&count));
        let running = AtomicUsize::new(1);
        let mut future = pin!(continuous(&running, yields(1)));
        assert!(future.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        assert_eq!((count.0.load(SeqCst), running.load(SeqCst)), (1, 2));
    }

    #[test]
    fn a_future_that_yields_often_lets_other_tasks_run() {
        let count = Arc::new(Count::default());
        let waker = Waker::from(Arc::clone(&count));
        let running = AtomicUsize::new(0);
        let mut future = pin!(continuous(&running, yields(2 * MAX_POLLS)));
        assert!(future.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        assert_eq!(count.0.load(SeqCst), 1);
    }

    #[tokio::test]
    async fn a_wake_by_another_thread_is_not_lost() {
        for _ in 0..200 {
            let (sender, receiver) = tokio::sync::oneshot::channel();
            let thread = std::thread::spawn(move || sender.send(7));
            let running = AtomicUsize::new(0);
            let answer = continuous(&running, async {
                yields(1).await;
                receiver.await
            });
            let answer = tokio::time::timeout(Duration::from_secs(10), answer).await;
            assert_eq!(answer.expect("a wake"), Ok(7));
            thread.join().expect("a thread").expect("a receiver");
        }
    }
}
