//! Spans for OpenTelemetry: what a process takes part in, and in it each portion that it explores as a member of a fleet.
//!
//! They are there in builds with the feature `telemetry`, and only where the environment names a collector, by the variables that
//! OpenTelemetry has for that. Spans say names and numbers: no inputs, no sources, no arguments.

#[cfg(feature = "telemetry")]
pub use collected::Spans;
#[cfg(not(feature = "telemetry"))]
pub use none::Spans;

#[cfg(not(feature = "telemetry"))]
mod none {
    use elsewise_campaign::Progress;
    use elsewise_cluster::Heart;

    /// In builds without the feature.
    pub struct Spans;

    impl Spans {
        pub fn begin(_: &'static str) -> Spans {
            Spans
        }

        pub fn explores(&self, _: &str) {}

        pub fn of_member(&self, _: &Heart) {}

        pub fn note(&self, _: &Progress) {}
    }
}

#[cfg(feature = "telemetry")]
mod collected {
    use crate::output;
    use elsewise_campaign::Progress;
    use elsewise_cluster::{Doing, Heart, Pulse};
    use opentelemetry::trace::{Span, SpanContext, TraceContextExt, Tracer, TracerProvider};
    use opentelemetry::{Context, KeyValue};
    use opentelemetry_otlp::SpanExporter;
    use opentelemetry_sdk::Resource;
    use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider, Span as SdkSpan};
    use std::sync::{Mutex, PoisonError};
    use std::time::Duration;

    /// Any of them asks for spans.
    const ENDPOINTS: [&str; 2] = [
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    ];
    const DISABLED: &str = "OTEL_SDK_DISABLED";
    /// How long a collector that is away may keep the end.
    const PATIENCE: Duration = Duration::from_secs(5);

    /// What is sent until this is dropped; nothing where nobody asks for it.
    pub struct Spans(Option<Open>);

    struct Open {
        provider: SdkTracerProvider,
        tracer: SdkTracer,
        whole: Mutex<SdkSpan>,
        last: Mutex<Option<Progress>>,
    }

    fn asked() -> bool {
        let set = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let disabled = std::env::var(DISABLED).is_ok_and(|it| it.eq_ignore_ascii_case("true"));
        ENDPOINTS.iter().any(|name| set(&name)) && !disabled
    }

    impl Spans {
        /// Of a verb of the command.
        pub fn begin(verb: &'static str) -> Spans {
            if !asked() {
                return Spans(None);
            }
            // Whoever has installed one before has installed the same.
            let _ = rustls::crypto::ring::default_provider().install_default();
            let exporter = SpanExporter::builder().with_http().build();
            let exporter = match exporter {
                Ok(exporter) => exporter,
                Err(error) => {
                    output::warning(&format!("there are no spans: {error}"));
                    return Spans(None);
                }
            };
            let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
            let resource = Resource::builder().with_attribute(version);
            let resource = match std::env::var_os("OTEL_SERVICE_NAME") {
                Some(_) => resource,
                None => resource.with_service_name("elsewise"),
            };
            let provider = SdkTracerProvider::builder()
                .with_resource(resource.build())
                .with_batch_exporter(exporter)
                .build();
            let tracer = provider.tracer("elsewise");
            let whole = Mutex::new(tracer.start(verb));
            Spans(Some(Open {
                provider,
                tracer,
                whole,
                last: Mutex::default(),
            }))
        }

        /// What the subject is called.
        pub fn explores(&self, subject: &str) {
            if let Some(open) = &self.0 {
                let subject = KeyValue::new("elsewise.subject", subject.to_owned());
                lock(&open.whole).set_attribute(subject);
            }
        }

        /// A span for each portion from now on.
        pub fn of_member(&self, heart: &Heart) {
            let Some(open) = &self.0 else {
                return;
            };
            let parent = lock(&open.whole).span_context().clone();
            let tracer = open.tracer.clone();
            let mut portion: Option<(SdkSpan, Pulse)> = None;
            heart.watch(Box::new(move |pulse| {
                if let Some((span, before)) = portion.take() {
                    end(span, &before, pulse);
                }
                if pulse.doing == Doing::Exploring {
                    portion = Some((begin(&tracer, &parent, pulse), pulse.clone()));
                }
            }));
        }

        pub fn note(&self, progress: &Progress) {
            if let Some(open) = &self.0 {
                *lock(&open.last) = Some(progress.clone());
            }
        }
    }

    fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
        mutex.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(tracer: &SdkTracer, parent: &SpanContext, pulse: &Pulse) -> SdkSpan {
        let parent = Context::new().with_remote_span_context(parent.clone());
        let mut span = tracer.start_with_context("portion", &parent);
        let name = pulse.portion.clone().unwrap_or_default();
        span.set_attribute(KeyValue::new("elsewise.portion", name));
        span
    }

    fn end(mut span: SdkSpan, before: &Pulse, now: &Pulse) {
        count(&mut span, "runs", now.runs - before.runs.min(now.runs));
        count(&mut span, "paths", now.paths - before.paths.min(now.paths));
        span.end();
    }

    fn count(span: &mut SdkSpan, what: &str, number: u64) {
        let number = i64::try_from(number).unwrap_or(i64::MAX);
        span.set_attribute(KeyValue::new(format!("elsewise.{what}"), number));
    }

    impl Drop for Spans {
        fn drop(&mut self) {
            let Some(open) = self.0.take() else {
                return;
            };
            let last = lock(&open.last).take();
            let mut whole = lock(&open.whole);
            if let Some(last) = last {
                count(&mut whole, "runs", last.runs);
                count(&mut whole, "paths", last.paths);
                count(&mut whole, "findings", last.findings.len() as u64);
            }
            whole.end();
            drop(whole);
            if let Err(error) = open.provider.shutdown_with_timeout(PATIENCE) {
                output::note(&format!("note: spans were not sent: {error}"));
            }
        }
    }
}
