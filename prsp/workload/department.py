"""One department of LUBM as triples, from the benchmark's published constants."""

from __future__ import annotations

from prsp.workload.chance import Chance

UB = "http://swat.cse.lehigh.edu/onto/univ-bench.owl#"
_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"

FACULTY = {"FullProfessor": (7, 10), "AssociateProfessor": (10, 14), "AssistantProfessor": (8, 11), "Lecturer": (5, 7)}
PUBLICATIONS = {"FullProfessor": (15, 20), "AssociateProfessor": (10, 18), "AssistantProfessor": (5, 10), "Lecturer": (0, 5)}
UNDERGRADUATES_PER_FACULTY, GRADUATES_PER_FACULTY = (8, 14), (3, 4)
COURSES, GRADUATE_COURSES = (1, 2), (1, 2)
UNDERGRADUATE_TAKES, GRADUATE_TAKES = (2, 4), (1, 3)
GRADUATE_PUBLICATIONS = (0, 5)
GROUPS = (10, 20)
GRADUATES_PER_TEACHING, GRADUATES_PER_RESEARCH = (4, 5), (3, 4)
ADVISED_UNDERGRADUATE = 5
UNIVERSITIES = 1_000
INTERESTS = 30


def department(chance: Chance, university: int, number: int, skew: float, home_degrees: int) -> list[str]:
    """Its triples, each once, without the closing dot; skew makes courses, advisors and universities hot."""
    made = _Department(chance, university, number, skew, home_degrees)
    made.faculty()
    made.students()
    made.rest(first=number == 0)
    return list(dict.fromkeys(made.lines))


class _Department:
    def __init__(self, chance: Chance, university: int, number: int, skew: float, home_degrees: int) -> None:
        self.lines: list[str] = []
        self._chance, self._skew, self._home_degrees = chance, skew, home_degrees
        self._host = f"Department{number}.University{university}.edu"
        self._home, self._university = f"<http://www.{self._host}>", f"<http://www.University{university}.edu>"
        self._names = f"Department{number}", f"University{university}"
        self._people = 0
        self._courses = {"Course": 0, "GraduateCourse": 0}
        self._professors: list[str] = []
        self._publications: list[str] = []
        self._alma_mater = chance.picker(UNIVERSITIES, skew)

    def _add(self, subject: str, predicate: str, value: str) -> None:
        self.lines.append(f"{subject} <{UB}{predicate}> {value}")

    def _a(self, subject: str, kind: str) -> None:
        self.lines.append(f"{subject} {_TYPE} <{UB}{kind}>")

    def _iri(self, name: str) -> str:
        return f"<http://www.{self._host}/{name}>"

    def _degree(self, who: str, kind: str, home: bool = False) -> None:
        place = self._university if home else f"<http://www.University{self._alma_mater()}.edu>"
        self._add(who, f"{kind}DegreeFrom", place)
        self._a(place, "University")

    def _person(self, name: str, kind: str) -> str:
        who = self._iri(name)
        self._a(who, kind)
        self._add(who, "name", f'"{name}"')
        self._add(who, "emailAddress", f'"{name}@{self._host}"')
        self._add(who, "telephone", '"xxx-xxx-xxxx"')
        return who

    def faculty(self) -> None:
        """Professors and lecturers, their courses and publications."""
        between = self._chance.between
        for kind, size in FACULTY.items():
            for number in range(between(size)):
                who = self._person(f"{kind}{number}", kind)
                self._people += 1
                self._add(who, "worksFor", self._home)
                for degree in ("undergraduate", "masters", "doctoral"):
                    self._degree(who, degree)
                for course, many in (("Course", COURSES), ("GraduateCourse", GRADUATE_COURSES)):
                    for _ in range(between(many)):
                        self._teach(who, course)
                if kind != "Lecturer":
                    self._professors.append(who)
                    self._add(who, "researchInterest", f'"Research{self._chance.below(INTERESTS)}"')
                for paper in range(between(PUBLICATIONS[kind])):
                    self._publish(f"{kind}{number}", paper)
        heads = sum(1 for who in self._professors if "/FullProfessor" in who)
        self._add(self._professors[self._chance.below(heads)], "headOf", self._home)

    def _teach(self, who: str, kind: str) -> None:
        name = f"{kind}{self._courses[kind]}"
        self._courses[kind] += 1
        course = self._iri(name)
        self._add(who, "teacherOf", course)
        self._a(course, kind)
        self._add(course, "name", f'"{name}"')

    def _publish(self, author: str, number: int) -> None:
        paper = self._iri(f"{author}/Publication{number}")
        self._publications.append(paper)
        self._a(paper, "Publication")
        self._add(paper, "name", f'"Publication{number}"')
        self._add(paper, "publicationAuthor", self._iri(author))

    def students(self) -> None:
        """Undergraduates and graduates with what they take, who advises them and what they wrote."""
        chance = self._chance
        advisor = chance.picker(len(self._professors), self._skew)
        course = chance.picker(self._courses["Course"], self._skew)
        for number in range(self._enrolled(UNDERGRADUATES_PER_FACULTY)):
            who = self._student("UndergraduateStudent", number)
            if self._at_home(number):
                self._degree(who, "undergraduate", home=True)
            for taken in chance.some(chance.between(UNDERGRADUATE_TAKES), course):
                self._add(who, "takesCourse", self._iri(f"Course{taken}"))
            if chance.below(ADVISED_UNDERGRADUATE) == 0:
                self._add(who, "advisor", self._professors[advisor()])
        graduate_course = chance.picker(self._courses["GraduateCourse"], self._skew)
        paper = chance.picker(len(self._publications), self._skew)
        graduates = self._enrolled(GRADUATES_PER_FACULTY)
        for number in range(graduates):
            who = self._student("GraduateStudent", number)
            self._degree(who, "undergraduate", home=self._at_home(number))
            for taken in chance.some(chance.between(GRADUATE_TAKES), graduate_course):
                self._add(who, "takesCourse", self._iri(f"GraduateCourse{taken}"))
            self._add(who, "advisor", self._professors[advisor()])
            for written in chance.some(chance.between(GRADUATE_PUBLICATIONS), paper):
                self._add(self._publications[written], "publicationAuthor", who)
        self._assistants(graduates)

    def _enrolled(self, per_faculty: tuple[int, int]) -> int:
        return int(self._people * (per_faculty[0] + self._chance.random() * (per_faculty[1] - per_faculty[0])))

    def _student(self, kind: str, number: int) -> str:
        who = self._person(f"{kind}{number}", kind)
        self._add(who, "memberOf", self._home)
        return who

    def _at_home(self, number: int) -> bool:
        return (number + 1) * self._home_degrees // 100 > number * self._home_degrees // 100

    def _assistants(self, graduates: int) -> None:
        """Some graduates teach a course, each course at most once; others do research."""
        chance = self._chance
        teaching = min(graduates // chance.between(GRADUATES_PER_TEACHING), self._courses["Course"])
        research = graduates // chance.between(GRADUATES_PER_RESEARCH)
        chosen = chance.some(teaching + research, chance.picker(graduates, 0))
        courses = chance.some(teaching, chance.picker(self._courses["Course"], 0))
        for number, course in zip(chosen[:teaching], courses, strict=True):
            self._a(self._iri(f"GraduateStudent{number}"), "TeachingAssistant")
            self._add(self._iri(f"GraduateStudent{number}"), "teachingAssistantOf", self._iri(f"Course{course}"))
        for number in chosen[teaching:]:
            self._a(self._iri(f"GraduateStudent{number}"), "ResearchAssistant")

    def rest(self, *, first: bool) -> None:
        """The department itself and its research groups."""
        self._a(self._home, "Department")
        self._add(self._home, "name", f'"{self._names[0]}"')
        self._add(self._home, "subOrganizationOf", self._university)
        self._a(self._university, "University")
        if first:
            self._add(self._university, "name", f'"{self._names[1]}"')
        for number in range(self._chance.between(GROUPS)):
            group = self._iri(f"ResearchGroup{number}")
            self._a(group, "ResearchGroup")
            self._add(group, "subOrganizationOf", self._home)
