import YAML
import Publishing

/// The file that makes a service build and publish a site whenever it changes.
struct Workflow {
    /// The services that one can be written for.
    static let services = ["github", "gitlab"]

    /// Where the file stands in the repository.
    let path: String
    /// The file.
    let text: String
    /// Which of several targets it publishes to; nil where there is no choice.
    let target: String?

    /// The workflow of `service` (one of ``services``) for a site.
    ///
    /// It fetches the program from `release`, a packed release, and runs it only
    /// where its SHA-256 digest is `checksum`. Of several targets it sends to the
    /// first branch of git on GitHub, and else to the first of all. Where the site has
    /// none, GitLab's own pages are published. Where it does not know its base URL, the
    /// service's is given.
    init(
        service: String, release: String, checksum: String, targets: [PublishTarget],
        hasBaseURL: Bool
    ) {
        let branch = targets.first { if case .git = $0.transport { true } else { false } }
        let chosen = service == "github" ? branch ?? targets.first : targets.first
        target = targets.count > 1 ? chosen?.name : nil
        let publish = "publish" + (target.map { " '\($0)'" } ?? "") + " --state .daybook"
        let pinned = """
            DAYBOOK_URL: \(YAMLText.scalar(release))
              # Of the program in it: another one is not run.
              DAYBOOK_SHA256: \(checksum)
            """
        switch service {
        case "gitlab":
            path = ".gitlab-ci.yml"
            text = Self.gitlab(
                pinned, publish: targets.isEmpty ? nil : publish, hasBaseURL: hasBaseURL)
        default:
            path = ".github/workflows/publish.yml"
            text = Self.github(pinned, publish: publish, hasBaseURL: hasBaseURL)
        }
    }

    private static func github(_ pinned: String, publish: String, hasBaseURL: Bool) -> String {
        let base =
            hasBaseURL
            ? "          \"$RUNNER_TEMP/daybook\" \(publish)\n"
            : """
                      # Where GitHub shows it, as long as daybook.yml has no base-url.
                      place=${GITHUB_REPOSITORY#*/}/
                      if [ "$place" = "$GITHUB_REPOSITORY_OWNER.github.io/" ]; then place=; fi
                      "$RUNNER_TEMP/daybook" \(publish) \\
                        --base-url "https://$GITHUB_REPOSITORY_OWNER.github.io/$place"

            """
        return """
            # Written by `daybook init --ci github`, and yours to change.
            name: publish

            on:
              push:
              pull_request:
              # Notes that fall due are published by the next of these runs.
              schedule:
                - cron: "17 * * * *"
              workflow_dispatch:

            permissions:
              contents: write

            # One at a time; a run that waits is replaced by the next.
            concurrency:
              group: publish-${{ github.ref }}

            env:
              \(pinned)

            jobs:
              publish:
                # The default branch is published, and that alone, which a schedule always
                # runs on; each pull request is checked.
                if: >-
                  github.event_name == 'pull_request' || github.event_name == 'schedule'
                  || github.ref == format('refs/heads/{0}', github.event.repository.default_branch)
                runs-on: ubuntu-latest
                steps:
                  - uses: actions/checkout@v4
                    with:
                      # Dates of notes may come from all of the history.
                      fetch-depth: 0
                  # What was built last time, so that only what changed is built.
                  - uses: actions/cache@v4
                    with:
                      path: |
                        .daybook
                        public
                      key: daybook-${{ github.ref_name }}-${{ github.run_id }}
                      restore-keys: |
                        daybook-${{ github.ref_name }}-
                        daybook-${{ github.event.repository.default_branch }}-
                  - name: Install Daybook
                    run: |
                      curl -fsSL --retry 3 -o "$RUNNER_TEMP/daybook.tar.gz" "$DAYBOOK_URL"
                      tar -xzf "$RUNNER_TEMP/daybook.tar.gz" -C "$RUNNER_TEMP" daybook
                      echo "$DAYBOOK_SHA256  $RUNNER_TEMP/daybook" | sha256sum --check
                  - name: Check
                    if: github.event_name == 'pull_request'
                    run: |
                      "$RUNNER_TEMP/daybook" check
                  - name: Publish
                    if: github.event_name != 'pull_request'
                    run: |
            \(base)
            """
    }

    private static func gitlab(
        _ pinned: String, publish: String?, hasBaseURL: Bool
    ) -> String {
        let base = hasBaseURL ? "" : " --base-url \"$CI_PAGES_URL/\""
        let job =
            publish.map { publish in
                """
                publish:
                  rules:
                    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
                  script:
                    - $CI_BUILDS_DIR/daybook \(publish)
                """
            }
                ?? """
                pages:
                  rules:
                    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
                  script:
                    - $CI_BUILDS_DIR/daybook build --state .daybook\(base)
                  artifacts:
                    paths: [public]
                """
        return """
            # Written by `daybook init --ci gitlab`, and yours to change.
            #
            # Notes that fall due are published by the next run: make a schedule for the
            # default branch, such as every hour, under Build → Pipeline schedules.
            variables:
              \(pinned)
              # Dates of notes may come from all of the history.
              GIT_DEPTH: "0"

            default:
              image: debian:bookworm-slim
              before_script:
                - apt-get update -q
                - apt-get install -yq --no-install-recommends ca-certificates curl git openssh-client rsync tzdata
                - curl -fsSL --retry 3 -o $CI_BUILDS_DIR/daybook.tar.gz "$DAYBOOK_URL"
                - tar -xzf $CI_BUILDS_DIR/daybook.tar.gz -C $CI_BUILDS_DIR daybook
                - echo "$DAYBOOK_SHA256  $CI_BUILDS_DIR/daybook" | sha256sum --check
              # What was built last time, so that only what changed is built.
              cache:
                key: daybook-$CI_COMMIT_REF_SLUG
                fallback_keys: [daybook-$CI_DEFAULT_BRANCH]
                paths: [.daybook, public]

            check:
              rules:
                - if: $CI_PIPELINE_SOURCE == "merge_request_event"
              script:
                - $CI_BUILDS_DIR/daybook build --strict --state .daybook
              artifacts:
                when: always
                reports:
                  codequality: gl-code-quality-report.json

            \(job)

            """
    }
}
